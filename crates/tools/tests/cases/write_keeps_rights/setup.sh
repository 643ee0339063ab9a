chmod 750 run.sh
