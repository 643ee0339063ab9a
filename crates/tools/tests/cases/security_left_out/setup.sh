printf 'token = q7Rk2ZxW9mTb4VnL8sHd\n\0' > binary
(printf 'eval(x);'; head -c 6000 /dev/zero | tr '\0' ';') > packed.js
(printf 'eval(x)\n'; head -c 1100000 /dev/zero | tr '\0' '\n') > large.py
ln -s large.py link.py
