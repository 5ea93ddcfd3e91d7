// `runner.json`: the process and port of the running runner. Valid only while that process is alive.
import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { parseJson } from '@roost/core/display/parse-json';
import { hasCode } from '@roost/machine/error-code';
import { readPrivateFile, replacePrivateFile } from '@roost/machine/private-file';
import { isSame, readIdentity } from '@roost/machine/process-identity';
import { AppError } from '@roost/protocol/app-error';
import { err, ok, type Result } from '@roost/protocol/result';
import { z } from 'zod';
import type { Home } from './home.ts';

const runningRunner = z.object({
	pid: z.int().positive(),
	startTime: z.string().min(1),
	port: z.int().min(1).max(65_535),
	version: z.string().min(1),
	startedAt: z.int().nonnegative(),
	/** Of the configuration at its start. */
	configHash: z.string().optional(),
	/** Where others reach it; of a hub. */
	url: z.string().optional(),
	/** Where this machine reaches a hub, and its certificate if it ends TLS itself. */
	ownUrl: z.string().optional(),
	certificate: z.string().optional(),
});
export type RunningRunner = z.infer<typeof runningRunner>;

type RunDirectory = Pick<Home, 'run'>;

/** Written by the runner itself once it is reachable, while it holds the lock of the record. */
export function writeRunnerFile(
	home: RunDirectory,
	facts: Pick<RunningRunner, 'port' | 'version' | 'startedAt' | 'configHash' | 'url' | 'ownUrl' | 'certificate'>,
): Result<RunningRunner> {
	const identity = readIdentity(process.pid);
	if (!identity) return err(new AppError('internal', 'Roost cannot read its own process start time.'));
	const running: RunningRunner = { ...identity, ...facts };
	const written = replacePrivateFile(runnerFilePath(home), `${JSON.stringify(running)}\n`);
	return written.ok ? ok(running) : written;
}

/** Null if no runner is up. Ignores a file that is stale, malformed, or a link. */
export function readRunnerFile(home: RunDirectory): Result<RunningRunner | null> {
	const entry = readEntry(home);
	if (!entry.ok) return entry;
	return ok(entry.value && isSame(entry.value) ? entry.value : null);
}

/** `ended`: an orderly shutdown removes the file; a killed runner leaves it. */
export function readRunnerState(home: RunDirectory): Result<'up' | 'ended' | 'killed'> {
	const entry = readEntry(home);
	if (!entry.ok) return entry;
	if (!entry.value) return ok('ended');
	return ok(isSame(entry.value) ? 'up' : 'killed');
}

/** The port of a killed runner, so that its clients find the next one there; null if none was killed. */
export function readKilledPort(home: RunDirectory): number | null {
	const entry = readEntry(home);
	return entry.ok && entry.value && !isSame(entry.value) ? entry.value.port : null;
}

/** Removes our own entry or a stale one; true if a file was removed. Requires the lock of the record. */
export function removeRunnerFile(home: RunDirectory): Result<boolean> {
	const running = readRunnerFile(home);
	if (!running.ok) return running;
	if (running.value && running.value.pid !== process.pid) return ok(false);
	const path = runnerFilePath(home);
	try {
		rmSync(path);
		return ok(true);
	} catch (cause) {
		if (hasCode(cause, 'ENOENT')) return ok(false);
		return err(new AppError('unsafe_path', `${path} cannot be removed. Remove it by hand.`, { cause }));
	}
}

function runnerFilePath(home: RunDirectory): string {
	return join(home.run, 'runner.json');
}

function readEntry(home: RunDirectory): Result<RunningRunner | null> {
	const text = readPrivateFile(runnerFilePath(home));
	// A file that is not ours says nothing about our runner.
	if (!text.ok) return text.error.code === 'unsafe_path' ? ok(null) : text;
	return ok(runningRunner.safeParse(parseJson(text.value ?? '')).data ?? null);
}
