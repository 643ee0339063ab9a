x.innerHTML = y;
