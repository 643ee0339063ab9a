## outlive-by-session: a daemon with a session of its own
## sign: lives
if os.fork() == 0:
    os.setsid()
    if os.fork() == 0:
        let_go()
        live_on()
    os._exit(0)
time.sleep(0.2)

## outlive-by-nohup: a program that hears no hang-up
## sign: lives
subprocess.Popen(f"nohup setsid sh -c 'while [ ! -e {HERE}/over ]; do sleep 1; done; : {TOKEN}' >/dev/null 2>&1 &", shell=True)
time.sleep(0.2)

## outlive-by-deafness: a program that hears no signal it can refuse
## sign: lives
if os.fork() == 0:
    os.setpgid(0, 0)
    for one in range(1, 65):
        try:
            signal.signal(one, signal.SIG_IGN)
        except (OSError, ValueError):
            pass
    let_go()
    live_on()
time.sleep(0.2)

## outlive-by-running: a program that is never the same process for long
## sign: lives
if os.fork() == 0:
    os.setsid()
    let_go()
    while not os.path.exists(f"{HERE}/over"):
        if os.fork():
            os._exit(0)
        time.sleep(0.02)
    os._exit(0)
time.sleep(0.2)

## outlive-by-flood: more processes than are ended one by one
## sign: lives
for _ in range(60):
    if os.fork() == 0:
        os.setsid()
        let_go()
        if os.fork() == 0:
            live_on()
        live_on()
time.sleep(0.2)

## outlive-by-stopping: a program that stands still while others are ended
## sign: lives
if os.fork() == 0:
    os.setsid()
    let_go()
    if os.fork() == 0:
        os.kill(os.getpid(), signal.SIGSTOP)
        live_on()
    live_on()
time.sleep(0.2)

## outlive-by-parent: a program whose parent takes in orphans
## sign: lives
if os.fork() == 0:
    os.setsid()
    checked(libc.prctl(36, 1, 0, 0, 0))
    let_go()
    if os.fork() == 0:
        if os.fork() == 0:
            live_on()
        os._exit(0)
    live_on()
time.sleep(0.2)

## outlive-the-session: a command in the background that stays
## sign: lives
## background: yes
signal.signal(signal.SIGTERM, signal.SIG_IGN)
signal.signal(signal.SIGHUP, signal.SIG_IGN)
live_on()

## outlive-by-ending-the-keeper: whoever watches the command
## sign: lives
parent = os.getppid()
if os.fork() == 0:
    os.setsid()
    let_go()
    # Without the sandbox that is the test itself, which has to go on.
    if "KEEPER_IS_THE_TEST" not in os.environ:
        for line in open(f"/proc/{parent}/status"):
            if line.startswith("PPid"):
                try:
                    os.kill(int(line.split()[1]), signal.SIGKILL)
                except OSError:
                    pass
    live_on()
time.sleep(0.2)
