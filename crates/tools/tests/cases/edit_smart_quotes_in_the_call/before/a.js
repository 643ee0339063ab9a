say("hi");
