/**
 * The command line: finds the command, runs it, and keeps what it changed.
 */
import { parseArgs } from './args.js';
import { CHANGES } from './changes.js';
import { openContext } from './context.js';
import { VIEWS } from './views.js';
import { InputError, PlannerError } from '../errors.js';
import { lines } from '../text/wrap.js';

const GLOBAL = { file: 'text', config: 'text', now: 'text', help: 'flag' };
const COMMANDS = { ...VIEWS, ...CHANGES };

/** Runs a command with `io`: `out`, `err`, `env`, `now`. Gives the exit code. */
export function main(words, io) {
  try {
    io.out(run(words, io));
    return 0;
  } catch (error) {
    if (!(error instanceof PlannerError)) throw error;
    io.err(`planner: ${error.message}\n`);
    return error.exitCode;
  }
}

function run(words, io) {
  const at = commandIndex(words);
  const { options } = parseArgs(words.slice(0, at), GLOBAL);
  const name = words[at];
  if (options.help || name === 'help') return help();
  if (name === undefined) throw new InputError('a command is missing; see --help');
  const command = Object.hasOwn(COMMANDS, name) ? COMMANDS[name] : undefined;
  if (!command) throw new InputError(`there is no command '${name}'; see --help`);
  const own = parseArgs(words.slice(at + 1), command.options);
  const context = openContext(options, io);
  const text = command.run(context, own.options, own.rest);
  if (name in CHANGES) context.save();
  return text;
}

/** Where the command stands: behind the options of the program and their values. */
function commandIndex(words) {
  let at = 0;
  while (at < words.length && words[at].startsWith('--')) {
    const name = words[at].slice(2);
    at += GLOBAL[name] === 'text' ? 2 : 1;
  }
  return at;
}

function help() {
  return lines([
    'planner [--file FILE] [--config FILE] [--now "DAY TIME"] COMMAND …',
    '',
    ...Object.values(COMMANDS).map((command) => `  ${command.help}`),
  ]);
}
