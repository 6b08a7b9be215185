"""Ivy as a process that answers for many programs: it is imported once, and forks for each program.

Run by the interpreter of Ivy's environment. A line of standard input is the JSON string of a program, a line of standard
output the JSON of `[exit code, output, CPU seconds]`; the code is None where the time was over. Each version of the language
has a process of its own, since Ivy makes its parser anew (for seconds) where the version changes.
"""
import functools, gc, importlib, json, os, re, resource, sys, tempfile, traceback


def child(path, seconds):
    """Checks one program; what it prints goes to the path + `.out`."""
    out = os.open(path + ".out", os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600)
    os.dup2(out, 1)
    os.dup2(out, 2)
    resource.setrlimit(resource.RLIMIT_CPU, (seconds, seconds + 1))
    os.chdir(os.path.dirname(path))
    sys.argv = ["ivy_check", os.path.basename(path)]
    code = 1
    try:
        from ivy import ivy_check
        ivy_check.main()
        code = 0
    except SystemExit as end:
        code = end.code if isinstance(end.code, int) else int(end.code is not None)
    except BaseException:  # a crash of Ivy is an answer as well
        traceback.print_exc(file=sys.stdout)
        code = 70
    finally:
        sys.stdout.flush()
        os._exit(code)


def prepare(version):
    """Makes the parser of a version, as `read_module` of Ivy does when it reads the first line of a file."""
    from ivy import ivy_compiler, ivy_logic_parser, ivy_parser, ivy_utils
    if version != ivy_utils.get_string_version():
        ivy_utils.set_string_version(version)
        for module in (ivy_logic_parser, ivy_parser):
            ivy_compiler.clear_rules(module.__name__)
            ivy_compiler.clear_rules(module.__name__.removeprefix("ivy."))
            importlib.reload(module)


def serve(programs, answers, seconds, folder):
    path = os.path.join(folder, "p.ivy")
    for line in programs:
        with open(path, "w", encoding="utf-8") as file:
            file.write(json.loads(line))
        process = os.fork()
        if process == 0:
            child(path, seconds)
        _, status, usage = os.wait4(process, 0)
        with open(path + ".out", encoding="utf-8", errors="replace") as file:
            output = file.read()
        code = None if os.WIFSIGNALED(status) else os.WEXITSTATUS(status)
        answers.write(json.dumps([code, output, usage.ru_utime + usage.ru_stime]) + "\n")
        answers.flush()


def start(version, seconds, root, others):
    """Forks the process for a version; returns what to write programs to, and to read answers from."""
    programs, answers = os.pipe(), os.pipe()
    if os.fork() == 0:
        # Pipes that stay open here would never end elsewhere.
        for file in [*others, sys.stdin]:
            os.close(file.fileno())
        os.close(programs[1])
        os.close(answers[0])
        try:
            prepare(version)
            gc.collect()
            gc.freeze()
            gc.disable()
            folder = os.path.join(root, version)
            os.mkdir(folder)
            serve(os.fdopen(programs[0]), os.fdopen(answers[1], "w"), seconds, folder)
        finally:
            os._exit(0)
    os.close(programs[0])
    os.close(answers[1])
    return os.fdopen(programs[1], "w"), os.fdopen(answers[0])


def main():
    seconds = int(sys.argv[1])
    # What Ivy prints while it is imported is no answer.
    output = os.fdopen(os.dup(1), "w")
    os.dup2(2, 1)
    from ply import yacc
    yacc.yacc = functools.partial(yacc.yacc, write_tables=False)
    from ivy import ivy_check  # noqa: F401  imported before the first fork
    servers = {}
    with tempfile.TemporaryDirectory() as root:
        for line in sys.stdin:
            version = re.match(r'"#lang ivy(1\.[3-8])\\n', line)
            version = version[1] if version else "1.7"
            if version not in servers:
                others = [file for pair in servers.values() for file in pair]
                servers[version] = start(version, seconds, root, others)
            programs, answers = servers[version]
            programs.write(line)
            programs.flush()
            output.write(answers.readline() or "[null, \"\", 0.0]\n")
            output.flush()
        for programs, answers in servers.values():
            programs.close()
            answers.read()


if __name__ == "__main__":
    main()
