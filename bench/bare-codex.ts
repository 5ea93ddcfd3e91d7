// Codex over its app-server, without Roost. Approves every call at once.
import { isRecord } from '@roost/testkit/fakes/model-request';
import type { BareAgent, BareProgram } from './bare-agent.ts';
import { type LineClient, type Message, openLineClient, textAt } from './line-client.ts';

export async function openBareCodex({ program, project, env, hook }: BareProgram): Promise<BareAgent> {
	await using stack = new AsyncDisposableStack();
	const codex = stack.use(openLineClient({ argv: [program, 'app-server', ...hookArgv(hook)], cwd: project, env }, approve));
	await codex.ask({ method: 'initialize', params: { clientInfo: { name: 'bench', version: '0.0.0' } } });
	codex.send({ method: 'initialized' });
	// The settings that Roost uses: every command asks, and approved commands run without a sandbox.
	const config = hook === undefined ? {} : await trustHook(codex, project, hook);
	const settings = { cwd: project, approvalPolicy: 'untrusted', sandbox: 'danger-full-access', config };
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

function hookArgv(command: string | undefined): string[] {
	if (command === undefined) return [];
	const hooks = `[{matcher="*", hooks=[{type="command", command=${JSON.stringify(command)}, timeout=60}]}]`;
	return ['-c', 'features.hooks=true', '-c', `hooks.PreToolUse=${hooks}`];
}

/** Codex skips an untrusted hook silently. */
async function trustHook(codex: LineClient, cwd: string, command: string): Promise<Message> {
	const listed = await codex.ask({ method: 'hooks/list', params: { cwds: [cwd] } });
	const hook = hooksIn(listed).find((each) => each.command === command);
	return { 'hooks.state': { [textAt(hook, 'key')]: { trusted_hash: textAt(hook, 'currentHash') } } };
}

function hooksIn({ result }: Message): Message[] {
	const folders = isRecord(result) && Array.isArray(result.data) ? result.data : [];
	return folders.flatMap((folder) => (isRecord(folder) && Array.isArray(folder.hooks) ? folder.hooks.filter(isRecord) : []));
}
