// Copilot over ACP, alone: whatever it wants to do is allowed at once.
import { isRecord } from '@roost/testkit/fakes/model-request';
import type { BareAgent, BareProgram } from './bare-agent.ts';
import { type Message, openLineClient, textAt } from './line-client.ts';

const jsonrpc = '2.0';

export async function openBareCopilot({ program, project, env }: BareProgram): Promise<BareAgent> {
	await using stack = new AsyncDisposableStack();
	const argv = [program, '--acp', '--no-auto-update'] as const;
	const copilot = stack.use(openLineClient({ argv, cwd: project, env }, allow));
	const ask = (method: string, params: Message) => copilot.ask({ jsonrpc, method, params });
	await ask('initialize', { protocolVersion: 1, clientCapabilities: {} });
	const sessionId = textAt(await ask('session/new', { cwd: project, mcpServers: [] }), 'result', 'sessionId');
	const owned = stack.move();
	return {
		async prompt() {
			await ask('session/prompt', { sessionId, prompt: [{ type: 'text', text: 'go' }] });
		},
		[Symbol.asyncDispose]: () => owned.disposeAsync(),
	};
}

function allow({ id, method, params }: Message): Message | undefined {
	if (method !== 'session/request_permission' || !isRecord(params) || !Array.isArray(params.options)) return undefined;
	const once = params.options.find((option) => isRecord(option) && option.kind === 'allow_once');
	return { jsonrpc, id, result: { outcome: { outcome: 'selected', optionId: textAt(once, 'optionId') } } };
}
