token = q7Rk2ZxW9mTb4VnL8sHd
