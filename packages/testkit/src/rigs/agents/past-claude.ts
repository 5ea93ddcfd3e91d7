// A folder of transcripts in Claude's format, with sessions that a test defines.
import { randomUUID } from 'node:crypto';
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

export type PastClaude = {
	/** `projects` of Claude's configuration. */
	readonly folder: string;
	/** Writes a transcript and returns the session's id. */
	add(transcript: { cwd: string; lines?: readonly (object | string)[]; id?: string; under?: string }): Promise<string>;
	pathOf(id: string, under?: string): string;
};

export async function createPastClaude(configDir: string): Promise<PastClaude> {
	const folder = join(configDir, 'projects');
	const pathOf = (id: string, under = '-a-folder') => join(folder, under, `${id}.jsonl`);
	await mkdir(folder, { recursive: true });
	return {
		folder,
		pathOf,
		async add({ cwd, lines = [pastPrompt('hello'), pastAnswer('hi')], id = randomUUID(), under }) {
			const path = pathOf(id, under);
			await mkdir(join(path, '..'), { recursive: true });
			const text = lines.map((line) => (typeof line === 'string' ? line : JSON.stringify({ ...line, cwd, sessionId: id })));
			await writeFile(path, `${text.join('\n')}\n`);
			return id;
		},
	};
}

type Timed = { at?: number; id?: string };

export function pastPrompt(text: string, { at = 1_000, id = randomUUID() }: Timed = {}): object {
	return { type: 'user', uuid: id, timestamp: toIso(at), message: { role: 'user', content: text } };
}

export function pastAnswer(text: string, { at = 2_000, id = randomUUID() }: Timed = {}): object {
	return pastMessage([{ type: 'text', text }], { at, id, stop: 'end_turn' });
}

export function pastCall(tool: string, input: object, { id, at = 1_500 }: { id: string; at?: number }): object {
	return pastMessage([{ type: 'tool_use', id, name: tool, input }], { at, id: `m-${id}`, stop: 'tool_use' });
}

export function pastResult(
	id: string,
	content: string,
	{ at = 1_600, failed = false, own }: { at?: number; failed?: boolean; own?: unknown } = {},
): object {
	const block = { type: 'tool_result', tool_use_id: id, content, is_error: failed };
	return { type: 'user', timestamp: toIso(at), message: { role: 'user', content: [block] }, toolUseResult: own };
}

export function pastMessage(content: readonly object[], { at, id, stop }: { at: number; id: string; stop: string }): object {
	const usage = { input_tokens: 10, output_tokens: 1 };
	return {
		type: 'assistant',
		timestamp: toIso(at),
		message: { id, role: 'assistant', model: 'big', content, stop_reason: stop, usage },
	};
}

function toIso(at: number): string {
	return new Date(at).toISOString();
}
