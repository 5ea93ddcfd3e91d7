// Copilot over ACP, without Roost. Allows every call at once.
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { isRecord } from '@roost/testkit/fakes/model-request';
import { createTempDir } from '@roost/testkit/rigs/temp-dir';
import type { BareAgent, BareProgram } from './bare-agent.ts';
import { type Message, openLineClient, textAt } from './line-client.ts';

const jsonrpc = '2.0';

export async function openBareCopilot({ program, project, env, hook }: BareProgram): Promise<BareAgent> {
	await using stack = new AsyncDisposableStack();
	const plugin = stack.use(await createTempDir()).path;
	if (hook !== undefined) await writeHook(plugin, hook);
	const argv = [program, '--acp', '--no-auto-update', ...(hook === undefined ? [] : [`--plugin-dir=${plugin}`])] as const;
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

async function writeHook(plugin: string, bash: string): Promise<void> {
	const hooks = { preToolUse: [{ type: 'command', bash, timeoutSec: 60 }] };
	await writeFile(join(plugin, 'hooks.json'), JSON.stringify({ version: 1, hooks }));
	await writeFile(join(plugin, 'plugin.json'), JSON.stringify({ name: 'bench', version: '1.0.0', hooks: 'hooks.json' }));
}
