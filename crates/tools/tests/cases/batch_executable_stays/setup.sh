chmod 755 a.sh
