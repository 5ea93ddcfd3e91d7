// The lines of a Pi session file, one at a time; the file may be large or damaged.
import { openRegularFile } from '@roost/machine/foreign-file';
import { type Frame, splitLines } from '@roost/machine/lines';
import { z } from 'zod';
import { parseBounded } from '../hooks/bounded-json.ts';
import { SENT_ENTRY } from './extension/shared.ts';

export type SessionLine =
	| { type: 'header'; id: string; cwd: string }
	| { type: 'answer'; model: string; usage: unknown }
	| { type: 'prompt'; text: string }
	/** Usage outside of the conversation. */
	| { type: 'usage'; model: string | undefined; usage: unknown }
	| { type: 'model'; model: string }
	/** Roost's mark: the id of the next prompt with this text. */
	| { type: 'sent'; sent: string }
	| { type: 'other' };

const MAX_LINE_BYTES = 64 * 1024 * 1024;

/** Throws for a missing file; unreadable lines are skipped. */
export async function* sessionLines(path: string): AsyncGenerator<SessionLine> {
	const { file, size } = await openRegularFile(path);
	await using _file = file;
	if (size === 0) return;
	const toLine = createLineReader();
	const bytes = file.createReadStream({ end: size - 1, autoClose: false });
	for await (const frame of splitLines(bytes, MAX_LINE_BYTES)) yield toLine(frame);
}

/** A fork begins with messages and usage of the original, which are skipped. */
function createLineReader(): (frame: Frame) => SessionLine {
	let copiedUntil = '';
	return (frame) => {
		const line = frame.type === 'line' ? entry.safeParse(parseBounded(frame.text)) : undefined;
		if (!line?.success) return OTHER;
		if (line.data.type === 'session' && line.data.parentSession !== undefined) copiedUntil = line.data.timestamp;
		return line.data.timestamp < copiedUntil ? OTHER : toSessionLine(line.data);
	};
}

const OTHER: SessionLine = { type: 'other' };

const content = z.union([z.string(), z.array(z.looseObject({ type: z.string(), text: z.string().optional() }))]);
const message = z.discriminatedUnion('role', [
	z.object({ role: z.literal('assistant'), model: z.string().catch('unknown'), usage: z.unknown().optional() }),
	z.object({ role: z.literal('user'), content }),
	z.object({ role: z.literal('toolResult'), usage: z.unknown().optional() }),
]);
const base = z.object({ timestamp: z.string().catch('') });
const entry = z.discriminatedUnion('type', [
	base.extend({ type: z.literal('session'), id: z.string(), cwd: z.string().catch(''), parentSession: z.string().optional() }),
	base.extend({ type: z.literal('message'), id: z.string(), message }),
	base.extend({ type: z.literal('model_change'), modelId: z.string() }),
	base.extend({ type: z.literal('usage'), model: z.string().optional(), usage: z.unknown().optional() }),
	base.extend({ type: z.literal('compaction'), usage: z.unknown().optional() }),
	base.extend({ type: z.literal('branch_summary'), usage: z.unknown().optional() }),
	base.extend({
		type: z.literal('custom'),
		customType: z.string(),
		data: z.object({ id: z.string() }).optional().catch(undefined),
	}),
]);

function toSessionLine(line: z.infer<typeof entry>): SessionLine {
	switch (line.type) {
		case 'session':
			return { type: 'header', id: line.id, cwd: line.cwd };
		case 'message':
			return toMessageLine(line.message);
		case 'model_change':
			return { type: 'model', model: line.modelId };
		case 'usage':
			return { type: 'usage', model: line.model, usage: line.usage };
		case 'compaction':
		case 'branch_summary':
			return line.usage === undefined ? OTHER : { type: 'usage', model: undefined, usage: line.usage };
		case 'custom':
			return line.customType === SENT_ENTRY && line.data ? { type: 'sent', sent: line.data.id } : OTHER;
	}
}

function toMessageLine(said: z.infer<typeof message>): SessionLine {
	switch (said.role) {
		case 'assistant':
			return { type: 'answer', model: said.model, usage: said.usage };
		case 'user':
			return { type: 'prompt', text: toText(said.content) };
		case 'toolResult':
			return said.usage === undefined ? OTHER : { type: 'usage', model: undefined, usage: said.usage };
	}
}

function toText(said: z.infer<typeof content>): string {
	return typeof said === 'string' ? said : said.flatMap(({ text }) => text ?? []).join('');
}
