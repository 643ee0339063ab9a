printf 'one\ntwo!\n' > .swap; mv .swap a.txt
