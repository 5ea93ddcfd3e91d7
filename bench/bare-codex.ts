// Codex over its app-server, alone: whatever it wants to do is approved at once.
import type { BareAgent, BareProgram } from './bare-agent.ts';
import { type Message, openLineClient, textAt } from './line-client.ts';

export async function openBareCodex({ program, project, env }: BareProgram): Promise<BareAgent> {
	await using stack = new AsyncDisposableStack();
	const codex = stack.use(openLineClient({ argv: [program, 'app-server'], cwd: project, env }, approve));
	await codex.ask({ method: 'initialize', params: { clientInfo: { name: 'bench', version: '0.0.0' } } });
	codex.send({ method: 'initialized' });
	// As Roost opens it: every command asks, and what was approved runs without a sandbox.
	const settings = { cwd: project, approvalPolicy: 'untrusted', sandbox: 'danger-full-access' };
	const threadId = textAt(await codex.ask({ method: 'thread/start', params: settings }), 'result', 'thread', 'id');
	const owned = stack.move();
	return {
		async prompt() {
			const over = codex.next(({ method }) => method === 'turn/completed');
			await codex.ask({ method: 'turn/start', params: { threadId, input: [{ type: 'text', text: 'go' }] } });
			await over;
		},
		[Symbol.asyncDispose]: () => owned.disposeAsync(),
	};
}

function approve({ id, method }: Message): Message | undefined {
	return typeof method === 'string' && method.endsWith('/requestApproval') ? { id, result: { decision: 'accept' } } : undefined;
}
