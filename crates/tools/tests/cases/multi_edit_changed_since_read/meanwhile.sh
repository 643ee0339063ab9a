echo "# more" >> a.py
