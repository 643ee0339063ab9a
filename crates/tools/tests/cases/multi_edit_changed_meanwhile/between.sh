echo "# more" >> b.py
