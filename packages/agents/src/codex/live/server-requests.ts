// Requests of Codex: approval for commands, patches and tools, and questions.
import type { LiveCall } from '../../live/gate.ts';
import type { LiveContext } from '../../live/live-agent.ts';
import { toBashCall, toQuestionInput, unwrapShell } from '../tool-calls.ts';
import type { CallGate } from './call-gate.ts';
import type { Items } from './items.ts';
import { parseServerRequest, type ServerRequest } from './protocol.ts';
import type { Answer, RpcId } from './rpc-peer.ts';

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
				return decision(calls.length === 0 ? 'nobody knows what it changes' : await gate.approve(calls, signal));
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
			const said = answers?.[text];
			return said === undefined ? [] : [[id, { answers: [said] }] as const];
		});
		return { answers: Object.fromEntries(given) };
	}

	async function elicitation(params: RequestOf<'mcpServer/elicitation/request'>, signal: AbortSignal): Promise<object> {
		const isApproval = params._meta?.codex_approval_kind === 'mcp_tool_call';
		const call = isApproval ? items.findServerCall(params.serverName, params._meta?.tool_params) : undefined;
		const refusal = call ? await gate.approve([call], signal) : 'nobody knows what it is for';
		if (!isApproval) {
			const message = `The MCP server ${params.serverName} wanted to ask something, which nobody can answer here: ${params.message}`;
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
