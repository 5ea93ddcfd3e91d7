// Pi in its RPC mode, without Roost. It does not ask before a call.
import type { BareAgent, BareProgram } from './bare-agent.ts';
import { openLineClient } from './line-client.ts';

const RPC = ['--mode', 'rpc', '--no-approve', '--no-extensions'];

export async function openBarePi({ program, project, env }: BareProgram): Promise<BareAgent> {
	await using stack = new AsyncDisposableStack();
	const pi = stack.use(openLineClient({ argv: [program, ...RPC], cwd: project, env }, () => undefined));
	await pi.ask({ type: 'get_state' });
	const owned = stack.move();
	return {
		async prompt() {
			const over = pi.next(({ type }) => type === 'agent_settled');
			await pi.ask({ type: 'prompt', message: 'go' });
			await over;
		},
		[Symbol.asyncDispose]: () => owned.disposeAsync(),
	};
}
