// Which runner is up, for everybody who wants to reach it: `runner.json`, believed only while that very process lives.
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
	/** Of the configuration it was started with. */
	configHash: z.string().optional(),
});
export type RunningRunner = z.infer<typeof runningRunner>;

type RunDirectory = Pick<Home, 'run'>;

/** This process is the runner. Written once it can be reached, by the holder of the record's lock. */
export function writeRunnerFile(
	home: RunDirectory,
	facts: Pick<RunningRunner, 'port' | 'version' | 'startedAt' | 'configHash'>,
): Result<RunningRunner> {
	const identity = readIdentity(process.pid);
	if (!identity) return err(new AppError('internal', 'Roost cannot read its own process start time.'));
	const running: RunningRunner = { ...identity, ...facts };
	const written = replacePrivateFile(runnerFilePath(home), `${JSON.stringify(running)}\n`);
	return written.ok ? ok(running) : written;
}

/** Null when no runner is up, also where a file speaks of one: of a dead one, in garbage, or by way of a link. */
export function readRunnerFile(home: RunDirectory): Result<RunningRunner | null> {
	const entry = readEntry(home);
	if (!entry.ok) return entry;
	return ok(entry.value && isSame(entry.value) ? entry.value : null);
}

/** `ended`: in order, and by somebody's wish. A runner that was killed could not take its entry back. */
export function readRunnerState(home: RunDirectory): Result<'up' | 'ended' | 'killed'> {
	const entry = readEntry(home);
	if (!entry.ok) return entry;
	if (!entry.value) return ok('ended');
	return ok(isSame(entry.value) ? 'up' : 'killed');
}

/** The port of the runner that was killed, for its clients to find the next one there; null where none was. */
export function readKilledPort(home: RunDirectory): number | null {
	const entry = readEntry(home);
	return entry.ok && entry.value && !isSame(entry.value) ? entry.value.port : null;
}

/** Removes our own entry or a stale one; says whether anything is gone. Call it while holding the record's lock. */
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
		return err(new AppError('unsafe_path', `${path} cannot be removed: remove it by hand.`, { cause }));
	}
}

function runnerFilePath(home: RunDirectory): string {
	return join(home.run, 'runner.json');
}

function readEntry(home: RunDirectory): Result<RunningRunner | null> {
	const text = readPrivateFile(runnerFilePath(home));
	// What is not ours was put there by somebody else: it says nothing about our runner.
	if (!text.ok) return text.error.code === 'unsafe_path' ? ok(null) : text;
	// A half-written or foreign file is no runner either.
	return ok(runningRunner.safeParse(parseJson(text.value ?? '')).data ?? null);
}
