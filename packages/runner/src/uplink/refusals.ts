// Commands of a hub that were refused, as facts of the runner: who takes over a hub leaves traces on each machine that it tried.
import { sanitiseLine } from '@roost/core/display/sanitise';
import type { LinkCall } from '@roost/protocol/hub/link-frames';
import type { RunnerStream } from '../record/runner-stream.ts';

export type Refusals = {
	/** Resolves when it is on record. `id`: of the command; a repeat is recorded once. */
	record(refused: { id: string; call: Pick<LinkCall, 'operation' | 'by' | 'seal'>; why: string }): Promise<void>;
};

/** A hub must not be able to fill the disk. */
const MOST_PER_HOUR = 200;
const HOUR_MS = 60 * 60 * 1_000;
const MOST_REMEMBERED = 1_000;
const LONGEST_NAME = 64;

export function createRefusals(deps: {
	own: Pick<RunnerStream, 'record'>;
	/** Steady: a clock that is set must not end the limit. */
	now: () => number;
	warn: (sentence: string) => void;
}): Refusals {
	const known = new Set<string>();
	let since = deps.now();
	let count = 0;

	function isRepeated(key: string): boolean {
		if (known.has(key)) return true;
		known.add(key);
		const [oldest] = known;
		if (known.size > MOST_REMEMBERED && oldest !== undefined) known.delete(oldest);
		return false;
	}

	async function note(message: string): Promise<void> {
		const recorded = await deps.own.record({ kind: 'runtime.error', data: { code: 'refused_command', message }, level: 'warn' });
		if (!recorded.ok) deps.warn(`${message} This could not be recorded: ${recorded.error.message}`);
	}

	return {
		async record({ id, call, why }) {
			if (isRepeated(JSON.stringify([id, why]))) return;
			if (deps.now() - since >= HOUR_MS) {
				since = deps.now();
				count = 0;
			}
			count += 1;
			const message = toSentence(id, call, why);
			if (count < MOST_PER_HOUR) return await note(message);
			if (count === MOST_PER_HOUR) await note(`${message} ${TOO_MANY}`);
			deps.warn(message);
		},
	};
}

const TOO_MANY = 'The hub sent many such commands: further ones of this hour are in the log only.';

function toSentence(id: string, { operation, by, seal }: Parameters<Refusals['record']>[0]['call'], why: string): string {
	const device = seal?.device ?? by.device;
	const who = `${shorten(by.name)}@${shorten(by.face)}${device === undefined ? '' : ` with device ${device}`}`;
	return `Refused "${shorten(operation)}" (${shorten(id)}), which the hub sent for ${who}: ${why}`;
}

/** Chosen by the hub. */
function shorten(text: string): string {
	return sanitiseLine(text).slice(0, LONGEST_NAME).toWellFormed();
}
