// roost sessions show: one session with its status and queue.
import { age } from '@roost/core/display/age';
import { short } from '@roost/core/display/amounts';
import { plural } from '@roost/core/display/plural';
import { continuedBy } from '@roost/core/views/continued';
import { continuedWords, stateWords, statusWords } from '@roost/core/views/words';
import type { AgentStatus } from '@roost/protocol/api/agent-status';
import type { QueuedPrompt } from '@roost/protocol/api/driving';
import type { TerminalRow } from '@roost/protocol/api/terminals';
import type { TokenUsage } from '@roost/protocol/feed/conversation';
import { ok, type Result } from '@roost/protocol/result';
import type { SessionRow } from '@roost/protocol/session-row';
import { unwrap } from '../output/exit.ts';
import { calledAs } from '../output/launcher.ts';
import { write } from '../output/print.ts';
import { toTable } from '../output/table.ts';
import { readLastUsage, readLaunchNotices } from '../record/session-facts.ts';
import { connect } from '../runner/connect.ts';
import { readOnRecord } from './on-session.ts';

type Options = { json?: boolean };

type Shown = {
	session: SessionRow;
	/** Null if the session has ended or the status cannot be known. */
	agentStatus: AgentStatus | null;
	prompts: readonly QueuedPrompt[];
	terminal: TerminalRow | null;
	tokens: TokenUsage | null;
	/** Settings that Roost added at launch. */
	notices: readonly string[];
};

/** Known only while a runner is up. */
type Update = Pick<Shown, 'agentStatus' | 'prompts' | 'terminal'>;

export async function showSession(given: string, options: Options): Promise<void> {
	const recorded = unwrap(await readRecord(given));
	const { session } = recorded;
	const reported = unwrap(await askRunner(session));
	const now = Date.now();
	const shown: Shown = { ...recorded, ...(reported ?? unreported(session, now)) };
	const text = options.json ? JSON.stringify(shown) : toTable(['SESSION', session.id], describe(shown, reported !== null, now));
	await write(process.stdout, [text]);
}

async function readRecord(given: string): Promise<Result<Pick<Shown, 'session' | 'tokens' | 'notices'>>> {
	return await readOnRecord(given, async (record, session) => {
		const tokens = await readLastUsage(record, session);
		if (!tokens.ok) return tokens;
		const notices = await readLaunchNotices(record, session);
		return notices.ok ? ok({ session, tokens: tokens.value, notices: notices.value }) : notices;
	});
}

/** Null if no runner is up; none is started for this. */
async function askRunner({ id }: SessionRow): Promise<Result<Update | null>> {
	const connected = await connect({ start: false });
	if (!connected.ok) return connected;
	if (!connected.value) return ok(null);
	const { api } = connected.value;
	const [detail, prompts, terminals] = await Promise.all([
		api.record.session({ id }),
		api.queue.list({ id }),
		api.terminals.list(),
	]);
	if (!detail.ok) return detail;
	if (!prompts.ok) return prompts;
	if (!terminals.ok) return terminals;
	const terminal = terminals.value.find(({ sessionId, state }) => sessionId === id && state === 'running') ?? null;
	return ok({ agentStatus: detail.value.agentStatus ?? null, prompts: prompts.value, terminal });
}

function unreported({ status }: SessionRow, now: number): Update {
	const agentStatus: AgentStatus = { status: 'unknown', source: 'none', asOf: now };
	return { agentStatus: status === 'ended' ? null : agentStatus, prompts: [], terminal: null };
}

function describe({ session, agentStatus, prompts, terminal, tokens, notices }: Shown, isUp: boolean, now: number): string[][] {
	const { title, agent, projectPath, gate, driven, drive, model, nativeIds, lastEventAt } = session;
	const from = continuedBy(session);
	const elsewhere =
		session.status === 'interrupted' && agentStatus && isUp ? ` (${agent}: ${statusWords(agentStatus, now)})` : '';
	const used = tokens && tokens.input_tokens + tokens.output_tokens + tokens.cache_read_tokens + tokens.cache_write_tokens;
	return [
		['title', title || '-'],
		['agent', agent],
		['project', projectPath],
		['continues', from ? continuedWords(from) : '-'],
		['mode', driven ? (drive?.mode === 'pty' ? 'in a terminal' : 'driven') : gate === 'enforce' ? 'enforced' : 'observed'],
		['model', model ?? drive?.model ?? '-'],
		['permissions', drive?.permission_mode ?? '-'],
		['status', `${stateWords(session, isUp)}, ${age(lastEventAt, now)} ago${elsewhere}`],
		['queued', queuedWords(prompts, session.prompts ?? 0)],
		['terminal', terminal ? `${terminal.id} (see it with "${calledAs()} attach ${terminal.id}")` : '-'],
		['native id', nativeIds.at(-1)?.id ?? '-'],
		['tokens', used ? short(used) : '-'],
		...notices.map((notice) => ['launch', notice]),
	];
}

function queuedWords(prompts: readonly QueuedPrompt[], count: number): string {
	const [first] = prompts;
	if (!first) return count === 0 ? '-' : plural(count, 'prompt');
	const text = first.text.length > MOST_TEXT ? `${first.text.slice(0, MOST_TEXT)}…` : first.text;
	return `${plural(prompts.length, 'prompt')}, first: ${text}`;
}

const MOST_TEXT = 60;
