/**
 * Faults that a person can do something about. The command line shows their message; all others are bugs and keep
 * their stack.
 */
export class PlannerError extends Error {
  constructor(message, exitCode = 1) {
    super(message);
    this.name = this.constructor.name;
    this.exitCode = exitCode;
  }
}

/** Something that was typed makes no sense. */
export class InputError extends PlannerError {
  constructor(message) {
    super(message, 2);
  }
}

/** There is no such event or task. */
export class NotFoundError extends PlannerError {
  constructor(message) {
    super(message, 3);
  }
}

/** A file cannot be read or written, or is not what it should be. */
export class FileError extends PlannerError {
  constructor(message) {
    super(message, 1);
  }
}
