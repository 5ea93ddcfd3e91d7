// Pi's session files: where they are, their lines, usage, and prompts of Roost. A repository has no influence on them.
import { createHash } from 'node:crypto';
import { readdir, readFile } from 'node:fs/promises';
import { homedir } from 'node:os';
import { join, resolve } from 'node:path';
import type { DrivableAgent, OutgoingPrompt } from '@roost/core/runtime/connection';
import { createUsageTally, tallyMessage, toUsageByModel, type UsageByModel } from '@roost/core/usage/tally';
import { openRegularFile } from '@roost/machine/foreign-file';
import { type Frame, splitLines } from '@roost/machine/lines';
import { AppError } from '@roost/protocol/app-error';
import type { TokenUsage } from '@roost/protocol/feed/conversation';
import { err, ok } from '@roost/protocol/result';
import { z } from 'zod';
import { toReasoning } from '../base/transcripts.ts';
import { parseBounded } from '../hooks/bounded-json.ts';
import { SENT_ENTRY } from './extension/shared.ts';

/** Anything else could be a flag, a path, or a prefix of another id. */
export const nativeSessionId = z.guid();

/** For `--session-dir`. Pi would read it even from the settings of an untrusted repository. */
export async function sessionFolder(env: PiEnv, cwd: string): Promise<string> {
	const chosen = await chosenFolder(env, cwd);
	return (
		chosen ??
		join(
			agentFolder(env),
			'sessions',
			`--${resolve(cwd)
				.replace(/^[/\\]/, '')
				.replace(/[/\\:]/g, '-')}--`,
		)
	);
}

/** Undefined without a file: Pi stores a conversation after the first response. */
export async function findSessionFile(env: PiEnv, cwd: string, nativeId: string): Promise<string | undefined> {
	const chosen = await chosenFolder(env, cwd);
	const folders = chosen === undefined ? await foldersIn(join(agentFolder(env), 'sessions')) : [chosen];
	for (const folder of folders) {
		const name = (await namesIn(folder)).find((each) => each.endsWith(`_${nativeId}.jsonl`));
		if (name !== undefined) return join(folder, name);
	}
	return undefined;
}

export type PiEnv = Readonly<Record<string, string | undefined>>;

function agentFolder(env: PiEnv): string {
	return env.PI_CODING_AGENT_DIR ? expandHome(env.PI_CODING_AGENT_DIR, env) : join(homeOf(env), '.pi', 'agent');
}

const userSettings = z.object({ sessionDir: z.string().min(1) });

/** From the user's environment or settings. */
async function chosenFolder(env: PiEnv, cwd: string): Promise<string | undefined> {
	if (env.PI_CODING_AGENT_SESSION_DIR) return resolve(cwd, expandHome(env.PI_CODING_AGENT_SESSION_DIR, env));
	const text = await readFile(join(agentFolder(env), 'settings.json'), 'utf8').catch(() => '{}');
	const parsed = userSettings.safeParse(parseBounded(text));
	return parsed.success ? resolve(cwd, expandHome(parsed.data.sessionDir, env)) : undefined;
}

function expandHome(path: string, env: PiEnv): string {
	return path === '~' || path.startsWith('~/') ? join(homeOf(env), path.slice(1)) : path;
}

function homeOf(env: PiEnv): string {
	return env.HOME || homedir();
}

async function foldersIn(folder: string): Promise<string[]> {
	return (await namesIn(folder)).map((name) => join(folder, name));
}

async function namesIn(folder: string): Promise<string[]> {
	return await readdir(folder).catch(() => []);
}

type SessionLine =
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
async function* sessionLines(path: string): AsyncGenerator<SessionLine> {
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

function toMessageLine(reply: z.infer<typeof message>): SessionLine {
	switch (reply.role) {
		case 'assistant':
			return { type: 'answer', model: reply.model, usage: reply.usage };
		case 'user':
			return { type: 'prompt', text: toText(reply.content) };
		case 'toolResult':
			return reply.usage === undefined ? OTHER : { type: 'usage', model: undefined, usage: reply.usage };
	}
}

function toText(lines: z.infer<typeof content>): string {
	return typeof lines === 'string' ? lines : lines.flatMap(({ text }) => text ?? []).join('');
}

export type SessionUsage = ReturnType<typeof createSessionUsage>;

type SessionSums = { usage: UsageByModel; model: string };

const count = z.number().nonnegative().catch(0);

const piUsage = z.object({ input: count, output: count, cacheRead: count, cacheWrite: count, reasoning: count }).transform(
	({ input, output, cacheRead, cacheWrite, reasoning }): TokenUsage => ({
		input_tokens: input,
		output_tokens: output,
		cache_read_tokens: cacheRead,
		cache_write_tokens: cacheWrite,
		...toReasoning(reasoning),
	}),
);

export function createSessionUsage() {
	const tally = createUsageTally();
	return {
		add(model: string, usage: unknown): void {
			const parsed = piUsage.safeParse(usage);
			if (parsed.success) tallyMessage(tally, { model, usage: parsed.data });
		},
		totals: () => toUsageByModel(tally),
	};
}

/** Null for other files. Usage without a model belongs to the previous one. */
export async function sumSessionFile(path: string, usage: SessionUsage): Promise<SessionSums | null> {
	let model: string | undefined;
	let isPis = false;
	try {
		for await (const line of sessionLines(path)) {
			if (line.type === 'header') isPis = true;
			if (line.type === 'model' || line.type === 'answer') model = line.model;
			if (line.type === 'answer' || line.type === 'usage')
				usage.add(('model' in line && line.model) || model || 'unknown', line.usage);
		}
	} catch {
		// A missing or unreadable file.
		return null;
	}
	return isPis ? { usage: usage.totals(), model: model ?? '' } : null;
}

/** Of its id and text; without the text for prompts that Pi expands. */
export function toMark({ id, text }: OutgoingPrompt): string {
	return text.startsWith('/') ? digest(id) : `${digest(id)}:${digest(text)}`;
}

/** False without a file. */
export function createHasPrompt(env: PiEnv): DrivableAgent['hasPrompt'] {
	return async ({ nativeId, cwd, prompt }) => {
		const path = nativeSessionId.safeParse(nativeId).success ? await findSessionFile(env, cwd, nativeId) : undefined;
		if (path === undefined) return ok(false);
		try {
			let awaited: string | undefined;
			for await (const line of sessionLines(path)) {
				const [id, words = ''] = line.type === 'sent' ? line.sent.split(':') : [];
				if (id === digest(prompt)) awaited = words;
				if (line.type === 'prompt' && awaited !== undefined && (awaited === '' || awaited === digest(line.text))) return ok(true);
			}
			return ok(false);
		} catch (cause) {
			return err(
				new AppError('internal', `The conversation ${path} cannot be read: check that it is a file you may read.`, { cause }),
			);
		}
	};
}

function digest(text: string): string {
	return createHash('sha256').update(text).digest('hex').slice(0, 16);
}
