rm a.png; printf x > a.png
