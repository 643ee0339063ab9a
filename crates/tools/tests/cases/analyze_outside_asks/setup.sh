echo "def f(): pass" > ../other.py
