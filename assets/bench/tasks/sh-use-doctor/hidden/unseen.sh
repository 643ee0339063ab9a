#!/usr/bin/env bash
export LC_ALL=C
number=0
failed=0

check() { # name, wanted, got
  number=$((number + 1))
  if [ "$2" = "$3" ]; then
    echo "ok $number - $1"
  else
    echo "not ok $number - $1"
    printf '%s\n' "wanted:" "$2" "got:" "$3" | sed 's/^/# /'
    failed=1
  fi
}

sums() {
  for name in "$@"; do
    echo "$name $(cksum <"services/$name.conf" | awk '{ print $1 " " $2 }')"
  done
}

settings() { # of FILE, without one KEY
  grep -v "^$2=" "services/$1.conf"
}

check "port of mail" "port=8084" "$(grep '^port=' services/mail.conf)"
check "order of report" "after=billing" "$(grep '^after=' services/report.conf)"
check "memory of web" "memory=768" "$(grep '^memory=' services/web.conf)"
check "lock of the changed ones" "$(sums mail report web)" "$(grep -E '^(mail|report|web) ' services.lock | sort)"
check "nothing is locked that is gone" "archive billing database mail report web" "$(cut -d ' ' -f 1 services.lock | sort | tr '\n' ' ' | sed 's/ $//')"
check "the other services are untouched" "archive 3166978356 64
billing 2359365016 73
database 1259050045 43" "$(sums archive billing database)"
check "the rest of the changed ones is untouched" "# outgoing only
memory=128
after=database
restart=always
# every night
port=8085
memory=256
restart=never
# what people see
port=8083
after=report
restart=always" "$(settings mail port; settings report after; settings web memory)"
check "the doctor is content" "healthy" "$(bash tools/doctor.sh)"
exit $failed
