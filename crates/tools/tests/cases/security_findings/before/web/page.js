document.body.innerHTML = location.hash;
