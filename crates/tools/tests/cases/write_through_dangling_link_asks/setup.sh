ln -s ../new ln
