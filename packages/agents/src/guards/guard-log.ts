// Verdicts of a guard, one line each. Bounded: the older half is dropped.
import { appendFileSync, renameSync, statSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { parseJson } from '@roost/core/display/parse-json';
import { hasCode } from '@roost/machine/error-code';
import { isJsonObject, stringAt } from '../base/json-object.ts';

export type GuardLogLine = { at: string; tool: string; allowed: boolean; reason?: string };

const MAX_BYTES = 1024 * 1024;
const MAX_REASON = 500;

export function guardLogPath(stateDir: string): string {
	return join(stateDir, 'guard.log');
}

/** Synchronous: stored before the agent gets the verdict. */
export function appendGuardLog(stateDir: string, line: GuardLogLine): void {
	const path = guardLogPath(stateDir);
	if ((statSync(path, { throwIfNoEntry: false })?.size ?? 0) > MAX_BYTES) putAside(path);
	const reason = line.reason === undefined ? {} : { reason: line.reason.slice(0, MAX_REASON) };
	appendFileSync(path, `${JSON.stringify({ at: line.at, tool: line.tool, allowed: line.allowed, ...reason })}\n`, {
		mode: 0o600,
	});
}

function putAside(path: string): void {
	try {
		renameSync(path, `${path}.1`);
	} catch (cause) {
		// A concurrent guard rotated it already.
		if (!hasCode(cause, 'ENOENT')) throw cause;
	}
}

/** Empty without a log; invalid lines are skipped. */
export async function readGuardLog(stateDir: string): Promise<GuardLogLine[]> {
	const text = await readFile(guardLogPath(stateDir), 'utf8').catch((cause: unknown) => {
		if (hasCode(cause, 'ENOENT')) return '';
		throw cause;
	});
	return text.split('\n').flatMap(parseLine);
}

/** The last line may be incomplete. */
function parseLine(text: string): GuardLogLine[] {
	const value = parseJson(text);
	if (!isJsonObject(value) || typeof value.allowed !== 'boolean') return [];
	const reason = stringAt(value, 'reason');
	const line = { at: stringAt(value, 'at') ?? '', tool: stringAt(value, 'tool') ?? '', allowed: value.allowed };
	return [reason === undefined ? line : { ...line, reason }];
}
