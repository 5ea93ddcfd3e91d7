// Opens a conversation with Codex so that Roost is its gate: version, hook, instructions, and the thread itself.
import type { DrivenRequest, ModelChoice } from '@roost/core/runtime/connection';
import { AppError } from '@roost/protocol/app-error';
import { err, ok, type Result } from '@roost/protocol/result';
import { z } from 'zod';
import { decidingHooks, hooksListed, initialized, type ListedHook, threadOpened } from './protocol.ts';
import { isGone, type RpcPeer } from './rpc-peer.ts';

type OpenedThread = z.infer<typeof threadOpened>;

export type ThreadSetup = {
	request: DrivenRequest;
	hookCommand: string;
	instructions: string;
	/** Undefined for a new conversation. */
	from: { nativeId: string; fork: boolean; upTo?: string | undefined } | undefined;
};

/** Older versions lack these requests and hooks. */
const OLDEST = [0, 166, 0] as const;
const GREETING_MS = 20_000;

export async function openThread(peer: RpcPeer, setup: ThreadSetup): Promise<Result<OpenedThread>> {
	const trust = await trustHook(peer, setup);
	if (!trust.ok) return trust;
	const opened = parseWith(threadOpened, await start(peer, setup, trust.value));
	if (!opened.ok) return opened;
	const gated = await checkGate(peer, opened.value, setup.hookCommand);
	return gated.ok ? opened : gated;
}

export async function greet(peer: RpcPeer, version: string): Promise<Result<void>> {
	const clientInfo = { name: 'roost', title: 'Roost', version };
	const response = await peer.request('initialize', { clientInfo, capabilities: { experimentalApi: true } }, GREETING_MS);
	if (!response.ok && isGone(response.error)) return response;
	const known = response.ok ? initialized.safeParse(response.value) : undefined;
	if (!known?.success)
		return err(new AppError('cannot_start', response.ok ? NOT_CODEX : `${NOT_CODEX} (${response.error.message})`));
	const refusal = refuseVersion(known.data.userAgent);
	if (refusal !== null) return err(new AppError('cannot_start', refusal));
	peer.notify('initialized');
	return ok(undefined);
}

const NOT_CODEX = 'The program that is configured as Codex does not answer like Codex: check "agents.codex.command"';

/** `roost/0.166.0 (…)`: client name and version of Codex. */
function refuseVersion(userAgent: string): string | null {
	const found = /^[^/]*\/(\d+)\.(\d+)\.(\d+)/.exec(userAgent)?.slice(1).map(Number);
	if (!found) return `${NOT_CODEX}.`;
	const [at] = OLDEST.map((part, index) => (found[index] ?? 0) - part).filter((difference) => difference !== 0);
	if (at === undefined || at > 0) return null;
	return `Codex ${found.join('.')} is too old to be driven: update it to ${OLDEST.join('.')} or later.`;
}

type Config = Record<string, unknown>;

/** Hooks run only if their hash is trusted, which is set for this thread only. */
async function trustHook(peer: RpcPeer, { request, hookCommand }: ThreadSetup): Promise<Result<Config>> {
	const hooks = await listHooks(peer, { cwds: [request.cwd] });
	if (!hooks.ok) return hooks;
	const own = hooks.value.find((hook) => hook.command === hookCommand);
	if (!own) return err(new AppError('cannot_start', NOT_GATED));
	const others = decidingHooks(hooks.value).filter(({ key }) => key !== own.key);
	const off = others.map(({ key }) => [key, { enabled: false }] as const);
	return ok({ 'hooks.state': { ...Object.fromEntries(off), [own.key]: { trusted_hash: own.currentHash } } });
}

/** Codex skips an untrusted hook silently, so a session without a gate must not start. */
async function checkGate(peer: RpcPeer, opened: OpenedThread, hookCommand: string): Promise<Result<void>> {
	const hooks = await listHooks(peer, { threadId: opened.thread.id });
	if (!hooks.ok) return hooks;
	const own = hooks.value.find((hook) => hook.command === hookCommand);
	const isGated = own?.trustStatus === 'trusted' && own.enabled && opened.approvalPolicy === ASK_POLICY;
	return isGated ? ok(undefined) : err(new AppError('cannot_start', NOT_GATED));
}

const NOT_GATED =
	'Codex did not load the hook through which Roost sees its calls, so it is not started: check whether its hooks are disabled.';

async function listHooks(peer: RpcPeer, where: object): Promise<Result<ListedHook[]>> {
	const listed = parseWith(hooksListed, await peer.request('hooks/list', where));
	return listed.ok ? ok(listed.value.data.flatMap(({ hooks }) => hooks)) : listed;
}

/** Every command, patch and tool asks first; allowed calls run without a sandbox. */
const ASK_POLICY = 'untrusted';

async function start(peer: RpcPeer, setup: ThreadSetup, trust: Config): Promise<Result<unknown>> {
	const { request, from } = setup;
	const read = parseWith(userConfig, await peer.request('config/read', { cwd: request.cwd }));
	if (!read.ok) return read;
	// Keeps the user's own values.
	const { developer_instructions: own, shell_environment_policy: environment } = read.value.config;
	const developerInstructions = [own ?? '', setup.instructions].filter((text) => text !== '').join('\n\n');
	const settings = {
		cwd: request.cwd,
		approvalPolicy: ASK_POLICY,
		approvalsReviewer: 'user',
		sandbox: 'danger-full-access',
		...(request.model === undefined ? {} : { model: request.model }),
		config: { ...trust, 'shell_environment_policy.exclude': [...(environment?.exclude ?? []), 'ROOST_HOOK_*'] },
		...(developerInstructions === '' ? {} : { developerInstructions }),
	};
	if (!from) return await peer.request('thread/start', settings);
	const known = { threadId: from.nativeId, excludeTurns: true, ...settings };
	if (!from.fork) return await peer.request('thread/resume', known);
	return await peer.request('thread/fork', { ...known, ...(from.upTo === undefined ? {} : { lastTurnId: from.upTo }) });
}

const userConfig = z.object({
	config: z.object({
		developer_instructions: z.string().nullish(),
		shell_environment_policy: z.object({ exclude: z.array(z.string()).nullish() }).nullish(),
	}),
});

function parseWith<S extends z.ZodType>(schema: S, message: Result<unknown>): Result<z.infer<S>> {
	if (!message.ok) return message;
	const parsed = schema.safeParse(message.value);
	return parsed.success
		? ok(parsed.data)
		: err(new AppError('agent_failed', `Codex sent a response that Roost does not understand.`));
}

const listed = z.object({ data: z.array(z.object({ model: z.string(), hidden: z.boolean().catch(false) })) });

const OWN_PROVIDER = 'openai';
const MOST = 200;
const FINE_TUNED = 'ft:';

export async function readModels(peer: Pick<RpcPeer, 'request'>, provider: string | undefined): Promise<ModelChoice | null> {
	if (provider !== OWN_PROVIDER) return null;
	const reported = await peer.request('model/list', { limit: MOST, includeHidden: true });
	const known = reported.ok ? listed.safeParse(reported.value) : undefined;
	if (!known?.success || known.data.data.length === 0) return null;
	const all = new Set(known.data.data.map(({ model }) => model));
	return {
		names: known.data.data.flatMap(({ model, hidden }) => (hidden ? [] : [model])),
		has: (name) => all.has(name) || name.startsWith(FINE_TUNED),
	};
}
