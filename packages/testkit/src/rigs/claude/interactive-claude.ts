// The real `claude` in a terminal: typed at like a user would, and followed by the status file it keeps for itself.
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { hasCode } from '@roost/machine/error-code';
import { isRecord } from '../../fakes/model-request.ts';
import { answerDialog } from '../agents/answer-dialog.ts';
import type { TmuxRig, TmuxSession } from '../terminal/tmux-rig.ts';
import { waitFor } from '../wait-for.ts';
import type { ClaudeRig } from './claude-rig.ts';

export type ClaudeStatus = { readonly status: string; readonly waitingFor?: string; readonly sessionId?: string };

export type InteractiveClaude = {
	readonly terminal: TmuxSession;
	/** What the status file says now; undefined before it is written and after Claude is gone. */
	readStatus(): Promise<ClaudeStatus | undefined>;
	waitForStatus(status: 'idle' | 'busy' | 'waiting', deadlineMs: number): Promise<ClaudeStatus>;
	/** Types a prompt and sends it. */
	prompt(text: string): Promise<void>;
	/** Presses a key until Claude waits no more: a dialog takes no keys in its first moments. */
	answerDialog(key: string, deadlineMs: number): Promise<void>;
};

export type InteractiveOptions = {
	readonly args?: readonly string[];
	/** Given to `--settings` as a file. */
	readonly settings?: unknown;
	readonly env?: Readonly<Record<string, string>>;
	readonly deadlineMs?: number;
};

/** Comes back when Claude waits for a prompt. It ends with the tmux rig, which must be disposed before the Claude rig. */
export async function startInteractiveClaude(
	rig: ClaudeRig,
	tmux: TmuxRig,
	options: InteractiveOptions = {},
): Promise<InteractiveClaude> {
	const { args = ['--permission-mode', 'manual'], settings, env = {}, deadlineMs = 20_000 } = options;
	const flags = settings === undefined ? [] : ['--settings', await rig.writeSettings(settings)];
	const terminal = await tmux.start([rig.binary, ...flags, ...args], { cwd: rig.project, env: { ...rig.env, ...env } });
	const claude = followClaude(rig, terminal);
	await claude.waitForStatus('idle', deadlineMs);
	// The status says idle a moment before the prompt takes keys.
	await terminal.waitForScreen(/\? for shortcuts/, deadlineMs);
	return claude;
}

function followClaude(rig: ClaudeRig, terminal: TmuxSession): InteractiveClaude {
	const readStatus = async (): Promise<ClaudeStatus | undefined> => {
		const text = await readIfThere(join(rig.configDir, 'sessions', `${terminal.pid}.json`));
		return text === undefined ? undefined : parseStatus(text);
	};
	const waitForStatus: InteractiveClaude['waitForStatus'] = (status, deadlineMs) =>
		waitFor(
			async () => {
				const now = await readStatus();
				return now?.status === status ? now : undefined;
			},
			{
				deadlineMs,
				what: `claude to be ${status}`,
				seen: async () => `${JSON.stringify(await readStatus())}\n${(await terminal.screen()).trimEnd()}`,
			},
		);
	return {
		terminal,
		readStatus,
		waitForStatus,
		async prompt(text) {
			await terminal.type(text);
			await terminal.waitForScreen((screen) => screen.includes(text.slice(0, 40)), 60_000);
			await terminal.key('Enter');
		},
		async answerDialog(key, deadlineMs) {
			// The dialog may be on the screen a moment before the status says so.
			await waitForStatus('waiting', deadlineMs);
			await answerDialog(terminal, key, async () => (await readStatus())?.status === 'waiting', deadlineMs);
		},
	};
}

/** Claude may be in the midst of writing it: half a file is no status yet. */
function parseStatus(text: string): ClaudeStatus | undefined {
	let raw: unknown;
	try {
		raw = JSON.parse(text);
	} catch (error) {
		if (error instanceof SyntaxError) return undefined;
		throw error;
	}
	if (!isRecord(raw) || typeof raw.status !== 'string') return undefined;
	return {
		status: raw.status,
		...(typeof raw.waitingFor === 'string' ? { waitingFor: raw.waitingFor } : {}),
		...(typeof raw.sessionId === 'string' ? { sessionId: raw.sessionId } : {}),
	};
}

async function readIfThere(path: string): Promise<string | undefined> {
	try {
		return await readFile(path, 'utf8');
	} catch (error) {
		if (hasCode(error, 'ENOENT')) return undefined;
		throw error;
	}
}
