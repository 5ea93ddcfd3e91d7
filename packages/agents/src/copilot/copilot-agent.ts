// GitHub Copilot, driven over ACP, with its own hooks as the gate and its event file for usage.
import { isHarmlessTool } from '@roost/core/controller/harmless-tools';
import type { DrivableAgent, DrivenRequest } from '@roost/core/runtime/connection';
import { USAGE_REPORT } from '@roost/core/runtime/event';
import { realTimers } from '@roost/machine/timers';
import { AppError } from '@roost/protocol/app-error';
import { err, ok, type Result } from '@roost/protocol/result';
import type { AcpCalls, NativeCall } from '../acp/acp-calls.ts';
import type { Initialized } from '../acp/acp-messages.ts';
import type { AcpExtras, Prepared } from '../acp/acp-wire.ts';
import { createAcpAgent, type Report } from '../acp/open-acp-agent.ts';
import { DEFAULT_ASK_MS } from '../base/ask-timeouts.ts';
import type { GateVerdict } from '../live/gate.ts';
import type { DriveDeps } from '../live/live-agent.ts';
import type { TurnEnd } from '../live/turns.ts';
import { shownName } from '../repository/shown-name.ts';
import { type HookAnswer, openHookGate, toHookAnswer } from './hook-gate.ts';
import { isTrustedFolder, refuseRepositoryHooks, repositoryServers } from './repository.ts';
import { createSessionEvents, type SessionEvents, sessionEventsPath } from './session-events.ts';
import { type HookCall, toNormalTool } from './tool-calls.ts';

export type CopilotAgentDeps = DriveDeps & {
	askMs?: number | undefined;
};

export function createCopilotAgent(deps: CopilotAgentDeps): DrivableAgent {
	return createAcpAgent({
		...deps,
		agent: 'copilot',
		title: 'Copilot',
		usualKey: 'COPILOT_GITHUB_TOKEN',
		argv: (request) => [
			...deps.command,
			'--acp',
			'--no-auto-update',
			...(request.model === undefined ? [] : [`--model=${request.model}`]),
		],
		capabilities: { gate: { gated: true } },
		extras: (request, report) => createExtras(deps, request, report),
	});
}

/** A hook may arrive before the update about its call. */
const NEWS_MS = 10_000;
const UNKNOWN_CALL: GateVerdict = { type: 'deny', message: 'Copilot did not report this call.' };

function createExtras(deps: CopilotAgentDeps, request: DrivenRequest, report: Report): AcpExtras {
	const { timers = realTimers } = deps;
	const env = deps.env(request.session ?? '');
	const waiting = new Set<() => void>();
	let events: SessionEvents | undefined;
	let caughtUp: Promise<unknown> | undefined;

	async function judge(calls: AcpCalls, hook: HookCall): Promise<HookAnswer> {
		const { tool: tool_name, input: tool_input } = toNormalTool(hook.toolName, hook.input);
		const as = { tool_name, tool_input, native_tool_name: hook.toolName };
		const how = isHarmlessTool(tool_name) ? 'announce' : 'permit';
		const judged = () => calls.judge((call) => isSame(call, hook), as, how);
		const verdict = await (judged() ?? whenBegun(judged));
		return toHookAnswer(hook.toolName, verdict, how);
	}

	/** A call that never begins is denied. */
	function whenBegun(judged: () => Promise<GateVerdict> | undefined): Promise<GateVerdict> {
		const { promise, resolve } = Promise.withResolvers<GateVerdict>();
		const settle = (verdict: GateVerdict | Promise<GateVerdict>) => {
			waiting.delete(look);
			forget();
			resolve(verdict);
		};
		const look = () => {
			const verdict = judged();
			if (verdict) settle(verdict);
		};
		const forget = timers.after(NEWS_MS, () => settle(UNKNOWN_CALL));
		waiting.add(look);
		return promise;
	}

	async function prepare(_request: DrivenRequest, calls: AcpCalls): Promise<Result<Prepared>> {
		const trusted = await isTrustedFolder(env, request.cwd);
		const refusal = await refuseRepositoryHooks(request.cwd, { trusted });
		if (refusal !== null) return err(new AppError('denied', refusal));
		const servers = await repositoryServers(request.cwd);
		if (!servers.ok) return servers;
		const gate = await openHookGate((hook) => judge(calls, hook), deps.askMs ?? DEFAULT_ASK_MS);
		const withoutServers = servers.value.map((name) => `--disable-mcp-server=${name}`);
		return gate.ok ? ok({ argv: [...withoutServers, ...gate.value.argv], env: {}, release: gate.value.close }) : gate;
	}

	async function afterTurn(_nativeId: string, end: TurnEnd): Promise<TurnEnd> {
		await caughtUp;
		const news = await events?.read();
		if (!news) return end;
		report(USAGE_REPORT, { by_model: news.usage });
		const why = news.errors.at(-1);
		// ACP reports a failed model only as the end of the turn.
		return why === undefined || end.type !== 'completed' ? end : { type: 'failed', error: 'api_error', why };
	}

	return {
		prepare,
		accept: refuseVersion,
		describe(nativeId) {
			const transcriptPath = sessionEventsPath(env, nativeId);
			events = createSessionEvents(transcriptPath);
			// Skips errors from before it was resumed.
			caughtUp = events.read();
			return { nativeId, transcriptPath, model: request.model ?? env.COPILOT_MODEL };
		},
		callBegan() {
			for (const look of [...waiting]) look();
		},
		refusePrompt: refuseSwitch,
		tellsUsage: true,
		afterTurn,
	};
}

/** Older versions are not known to run plugin hooks, and might bypass the gate. */
const OLDEST_COPILOT = '1.0.102';

function refuseVersion({ agentInfo }: Initialized): string | null {
	if (agentInfo?.name !== 'Copilot')
		return `The program that was started as Copilot says that it is "${shownName(agentInfo?.name ?? 'nobody', 60)}".`;
	const { version = '0' } = agentInfo;
	if (version.localeCompare(OLDEST_COPILOT, 'en', { numeric: true }) >= 0) return null;
	return `Copilot ${shownName(version, 30)} is too old: update it to ${OLDEST_COPILOT} or newer (copilot update).`;
}

/** The hook has no call id, so the input is compared. */
function isSame(call: NativeCall, hook: HookCall): boolean {
	return JSON.stringify(call.rawInput ?? {}) === JSON.stringify(hook.input);
}

/** Slash commands that would disable asking. */
const SWITCHES: ReadonlySet<string> = new Set(
	'allow-all yolo permissions autopilot add-dir sandbox reset-allowed-tools'.split(' '),
);

/** Null for other prompts. */
export function refuseSwitch(prompt: string): string | null {
	const name = /^\s*\/([\w-]+)/.exec(prompt)?.[1]?.toLowerCase();
	if (name === undefined || !SWITCHES.has(name)) return null;
	return `/${name} would change what Copilot asks about: change the permission mode of the session instead.`;
}
