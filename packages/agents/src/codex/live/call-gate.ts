// The gate of a driven Codex. Its hook asks first; a later approval request is granted only for what the hook allowed, or asks itself.
import { isHarmlessTool } from '@roost/core/controller/harmless-tools';
import type { ToolInput } from '@roost/protocol/feed/base';
import { isJsonObject } from '../../base/json-object.ts';
import type { GateVerdict, LiveCall, LiveGate } from '../../live/gate.ts';
import type { LiveContext } from '../../live/live-agent.ts';
import type { OpenCalls } from '../../live/turns.ts';
import type { HookAnswer } from '../hook-output.ts';
import { toBashCall, toNormalCalls, toQuestionInput, unwrapShell } from '../tool-calls.ts';
import type { AnnouncedCall } from './hook-listener.ts';
import type { Items } from './items.ts';
import { parseServerRequest, type ServerRequest } from './protocol.ts';
import type { Answer, RpcId } from './rpc-peer.ts';

type CallGate = ReturnType<typeof createCallGate>;

const MAX_PERMITTED = 1000;

export function createCallGate(deps: { gate: LiveGate; calls: OpenCalls; onLost: (why: string) => void }) {
	const { gate, calls } = deps;
	/** Allowed calls by id, with their fingerprint. */
	const permitted = new Map<string, string>();
	const quiet = new Set<string>();

	function remember(call: LiveCall): void {
		permitted.set(call.tool_use_id, fingerprint(call));
		const oldest = permitted.size > MAX_PERMITTED ? permitted.keys().next().value : undefined;
		if (oldest !== undefined) permitted.delete(oldest);
	}

	/** A denied call is recorded as such and needs no end. */
	function close(refused: readonly LiveCall[]): void {
		for (const { tool_use_id } of refused) calls.observe('PostToolUse', { tool_use_id });
	}

	async function passAll(all: readonly LiveCall[], asks: boolean, signal: AbortSignal): Promise<GateVerdict> {
		let last: GateVerdict = { type: 'allow' };
		for (const call of all) {
			last = asks ? await gate.permit(call, signal) : await gate.announce(call, signal);
			const refusal = last.type === 'deny' ? last.message : refuseEdit(call, last.updatedInput);
			if (refusal !== null) {
				close(all);
				return { type: 'deny', message: refusal };
			}
		}
		return last;
	}

	/** A reused id with another call invalidates what was recorded. */
	function forgetOther(call: LiveCall): void {
		const known = calls.find(call.tool_use_id);
		const input = known?.tool_input;
		if (isJsonObject(input) && fingerprint({ ...call, tool_input: input }) !== fingerprint(call)) close([call]);
	}

	return {
		async onHook(
			{ tool_use_id: id, tool_name: name, tool_input: input, cwd, agent_id, agent_type }: AnnouncedCall,
			signal: AbortSignal,
		): Promise<HookAnswer> {
			const { asks, calls: native } = toNormalCalls({ id, name, input, cwd });
			const whose = { ...(agent_id === undefined ? {} : { agent_id }), ...(agent_type === undefined ? {} : { agent_type }) };
			const all = native.map((call) => ({ ...call, ...whose }));
			// A hook fires once per call: an earlier call with this id is another one.
			close(all);
			const verdict = await passAll(all, asks || all.some(({ tool_name }) => !isHarmlessTool(tool_name)), signal);
			if (verdict.type === 'deny') return { type: 'deny', reason: verdict.message };
			if (!asks) for (const { tool_use_id } of all) quiet.add(tool_use_id);
			const [only] = all;
			if (verdict.updatedInput === undefined || only === undefined || !asks) {
				for (const call of all) remember(call);
				return { type: 'pass' };
			}
			const edited = { ...only, tool_input: verdict.updatedInput };
			calls.open(edited);
			remember(edited);
			return {
				type: 'edit',
				input: only.tool_name === 'Bash' ? { command: verdict.updatedInput.command } : verdict.updatedInput,
			};
		},
		/** Null where all are allowed, else the reason. */
		async approve(wanted: readonly LiveCall[], signal: AbortSignal): Promise<string | null> {
			for (const call of wanted) forgetOther(call);
			const open = wanted.filter((call) => permitted.get(call.tool_use_id) !== fingerprint(call));
			for (const { tool_use_id } of wanted) permitted.delete(tool_use_id);
			for (const call of open) {
				const verdict = await gate.permit(call, signal);
				const isEdited =
					verdict.type === 'allow' && verdict.updatedInput !== undefined && !isSame(verdict.updatedInput, call.tool_input);
				if (isEdited) deps.onLost(EDIT_TOO_LATE);
				if (verdict.type === 'deny' || isEdited) {
					close(wanted);
					return verdict.type === 'deny' ? verdict.message : EDIT_TOO_LATE;
				}
			}
			return null;
		},
		/** Answers by question. Null without an answer. */
		async answer(call: LiveCall, signal: AbortSignal): Promise<Record<string, string> | null> {
			quiet.delete(call.tool_use_id);
			const verdict = await gate.permit(call, signal);
			const answers = verdict.type === 'allow' ? verdict.updatedInput?.answers : undefined;
			if (!isAnswers(answers)) close([call]);
			return isAnswers(answers) ? answers : null;
		},
		/** Calls that Codex does not report as ended. */
		takeQuiet(): string[] {
			const taken = [...quiet];
			quiet.clear();
			return taken;
		},
	};
}

const EDIT_TOO_LATE = 'Codex asked too late for an edited call, so it was refused: deny it and say what to change.';

/** Codex accepts a patch only as a whole and unchanged. */
function refuseEdit(call: LiveCall, input: ToolInput | undefined): string | null {
	if (input === undefined || isSame(input, call.tool_input)) return null;
	if (call.native_tool_name === 'apply_patch')
		return 'Codex takes no edited patch: allow it as it is, or deny it and say what to change.';
	if (call.tool_name === 'Bash' && typeof input.command !== 'string') return 'The edited call holds no command.';
	return null;
}

function fingerprint({ tool_name, tool_input }: Pick<LiveCall, 'tool_name' | 'tool_input'>): string {
	// For patches the files count: Codex and its hook word the change differently.
	return tool_name === 'Bash' || tool_name.startsWith('mcp__') ? JSON.stringify(tool_input) : String(tool_input.file_path);
}

function isSame(a: ToolInput, b: ToolInput): boolean {
	return JSON.stringify(a) === JSON.stringify(b);
}

function isAnswers(value: unknown): value is Record<string, string> {
	return typeof value === 'object' && value !== null && Object.values(value).every((each) => typeof each === 'string');
}

type RequestOf<M extends ServerRequest['method']> = Extract<ServerRequest, { method: M }>['params'];

export function createServerRequests(deps: {
	live: Pick<LiveContext, 'reporter'>;
	gate: CallGate;
	items: Items;
	/** Undefined for the main agent. */
	agentOf: (threadId: string) => string | undefined;
	/** Aborted when the turn is interrupted. */
	signal: () => AbortSignal;
}) {
	const { gate, items } = deps;
	const waiting = new Map<RpcId, AbortController>();

	async function decide(request: ServerRequest, signal: AbortSignal): Promise<object> {
		switch (request.method) {
			case 'item/commandExecution/requestApproval':
				return decision(await gate.approve([commandCall(request.params)], signal));
			case 'item/fileChange/requestApproval': {
				const calls = items.find(request.params.itemId);
				return decision(calls.length === 0 ? 'its changes are unknown' : await gate.approve(calls, signal));
			}
			case 'item/tool/requestUserInput':
				return await question(request.params, signal);
			// Calls are approved one by one: there is nothing more to grant.
			case 'item/permissions/requestApproval':
				return { permissions: {}, scope: 'turn' };
			case 'mcpServer/elicitation/request':
				return await elicitation(request.params, signal);
		}
	}

	function withAgent(call: LiveCall, threadId: string): LiveCall {
		const agentId = deps.agentOf(threadId);
		return agentId === undefined ? call : { ...call, agent_id: agentId };
	}

	/** Input to a running command is a call with its own id. */
	function commandCall({ itemId, approvalId, command, threadId }: RequestOf<'item/commandExecution/requestApproval'>): LiveCall {
		return withAgent(toBashCall(approvalId ?? itemId, unwrapShell(command ?? '')), threadId);
	}

	async function question(
		{ itemId, questions, threadId }: RequestOf<'item/tool/requestUserInput'>,
		signal: AbortSignal,
	): Promise<object> {
		const call = withAgent(
			{
				tool_use_id: itemId,
				tool_name: 'AskUserQuestion',
				tool_input: toQuestionInput(questions),
				native_tool_name: 'request_user_input',
			},
			threadId,
		);
		const answers = await gate.answer(call, signal);
		if (answers) items.finishQuiet([itemId]);
		const given = questions.flatMap(({ id, question: text }) => {
			const message = answers?.[text];
			return message === undefined ? [] : [[id, { answers: [message] }] as const];
		});
		return { answers: Object.fromEntries(given) };
	}

	async function elicitation(params: RequestOf<'mcpServer/elicitation/request'>, signal: AbortSignal): Promise<object> {
		const isApproval = params._meta?.codex_approval_kind === 'mcp_tool_call';
		const call = isApproval ? items.findServerCall(params.serverName, params._meta?.tool_params) : undefined;
		const refusal = call ? await gate.approve([call], signal) : 'its purpose is unknown';
		if (!isApproval) {
			const message = `The MCP server ${params.serverName} asked a question, which is not supported here: ${params.message}`;
			deps.live.reporter.report('Notification', { message, notification_type: 'elicitation' });
		}
		return refusal === null ? { action: 'accept', content: {}, _meta: null } : { action: 'decline', content: null, _meta: null };
	}

	return {
		take(id: RpcId, method: string, params: unknown, answer: (answer: Answer) => void) {
			const request = parseServerRequest(method, params);
			if (!request) return answer({ error: { code: UNKNOWN_METHOD, message: `Roost does not answer ${method}` } });
			const stop = new AbortController();
			waiting.set(id, stop);
			void decide(request, AbortSignal.any([stop.signal, deps.signal()])).then((result) => {
				waiting.delete(id);
				answer({ result });
			});
		},
		/** Codex stopped waiting. */
		resolved(id: RpcId): void {
			waiting.get(id)?.abort();
			waiting.delete(id);
		},
	};
}

const UNKNOWN_METHOD = -32601;

function decision(refusal: string | null): object {
	return { decision: refusal === null ? 'accept' : 'decline' };
}
