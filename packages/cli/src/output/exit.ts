// How a command reports failure: one sentence on stderr, and an exit code that scripts can rely on.
import { sanitiseLine } from '@roost/core/display/sanitise';
import { AppError, type ErrorCode } from '@roost/protocol/app-error';
import type { Result } from '@roost/protocol/result';
import { asTyped, calledAs } from './launcher.ts';

export const EXIT = {
	ok: 0,
	failed: 1,
	usage: 2,
	cannotStart: 3,
	agentFailed: 4,
	denied: 5,
	timedOut: 6,
	turnLimit: 7,
	interrupted: 130,
} as const;

const CODES: Partial<Record<ErrorCode, number>> = {
	usage: EXIT.usage,
	cannot_start: EXIT.cannotStart,
	store_busy: EXIT.cannotStart,
	store_unavailable: EXIT.cannotStart,
	schema_too_new: EXIT.cannotStart,
	unsafe_path: EXIT.cannotStart,
	agent_failed: EXIT.agentFailed,
	denied: EXIT.denied,
	timed_out: EXIT.timedOut,
	turn_limit: EXIT.turnLimit,
	interrupted: EXIT.interrupted,
};

/** Prints the error and sets the exit code; `more` is added to the JSON. */
export function fail(error: AppError, options: { json?: boolean | undefined }, more: object = {}): void {
	process.stderr.write(
		options.json ? `${JSON.stringify({ error, ...more })}\n` : `roost: ${sanitiseLine(asTyped(error.message))}\n`,
	);
	process.exitCode = CODES[error.code] ?? EXIT.failed;
}

/** Runs a command. An `AppError` that it throws ends it and is reported. */
export async function reportErrors(options: { json?: boolean | undefined }, run: () => Promise<void>): Promise<void> {
	try {
		await run();
	} catch (error) {
		if (!(error instanceof AppError)) throw error;
		fail(error, options);
	}
}

/** The value of a result; an error ends the command. */
export function unwrap<T>(result: Result<T>): T {
	if (!result.ok) throw result.error;
	return result.value;
}

/** Commander has already printed the sentence, unless --json is given. */
export function failUsage(error: { message: string }, json: boolean): number {
	if (json) process.stderr.write(`${JSON.stringify({ error: { code: 'usage', message: error.message } })}\n`);
	return EXIT.usage;
}

let leave: () => void = endQuietly;

export function expectLeavingReader(): void {
	process.stdout.on('error', (error: NodeJS.ErrnoException) => {
		if (error.code !== 'EPIPE' && error.code !== 'EIO') throw error;
		leave();
	});
}

/** For a command with work to finish when stdout is closed, until it is disposed. */
export function onReaderLeft(action: () => void): Disposable {
	leave = action;
	return {
		[Symbol.dispose]() {
			leave = endQuietly;
		},
	};
}

function endQuietly(): void {
	process.exit(EXIT.ok);
}

let isReported = false;

/** Once, and not with --json. */
export function reportOldConfig(): void {
	if (isReported || process.argv.includes('--json')) return;
	isReported = true;
	process.stderr.write(
		`roost: config.yaml changed, but the runner still uses the old one. Restart it with "${calledAs()} down" and "${calledAs()} up --detach".\n`,
	);
}
