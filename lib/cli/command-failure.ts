/** A command that can't do what it was asked: one sentence, a word for scripts, an exit code. */
export class CommandFailure extends Error {
  override name = 'CommandFailure';

  constructor(
    readonly code: string,
    message: string,
    readonly exitCode: number = EXIT.failed,
  ) {
    super(message);
  }
}

/** Exit codes of every command. */
export const EXIT = {
  ok: 0,
  /** Refused, or something was wrong with what was given. */
  failed: 1,
  /** The command line itself is wrong. */
  usage: 2,
  /** The server couldn't take it now; running the same command again is safe. */
  again: 3,
  /** Stopped from outside, as shells say it. */
  cancelled: 130,
} as const;
