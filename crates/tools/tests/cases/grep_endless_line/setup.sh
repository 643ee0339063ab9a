{ head -c 8400000 /dev/zero | tr '\0' x; echo ' needle'; } > endless.json
