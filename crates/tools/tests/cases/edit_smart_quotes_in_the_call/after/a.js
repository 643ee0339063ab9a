say("ho");
