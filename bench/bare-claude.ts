// Claude driven by its Agent SDK alone: the floor for a driven session. Allows every call at once.
import { query, type SDKMessage, type SDKUserMessage } from '@anthropic-ai/claude-agent-sdk';
import type { ClaudeRig } from '@roost/testkit/rigs/agents/claude-rig';

export type BareClaude = AsyncDisposable & { send(text: string): void };

export function openBareClaude(
	{ program, project, env }: ClaudeRig,
	{ onWord, onDecided, onOver }: { onWord: () => void; onDecided: () => void; onOver: () => void },
): BareClaude {
	const input = new TransformStream<SDKUserMessage, SDKUserMessage>();
	const writer = input.writable.getWriter();
	const session = query({
		prompt: input.readable,
		options: {
			cwd: project,
			env: { ...env },
			pathToClaudeCodeExecutable: program,
			settingSources: [],
			systemPrompt: { type: 'preset', preset: 'claude_code' },
			includePartialMessages: true,
			async canUseTool(_tool, updatedInput) {
				onDecided();
				return { behavior: 'allow', updatedInput };
			},
		},
	});

	async function hear(): Promise<void> {
		for await (const said of session) {
			if (isWord(said)) onWord();
			if (said.type === 'result') onOver();
		}
	}

	const heard = hear();
	return {
		send: (text) => void writer.write({ type: 'user', message: { role: 'user', content: text }, parent_tool_use_id: null }),
		async [Symbol.asyncDispose]() {
			await writer.close();
			session.close();
			await heard;
		},
	};
}

function isWord(said: SDKMessage): boolean {
	return said.type === 'stream_event' && said.event.type === 'content_block_delta' && said.event.delta.type === 'text_delta';
}
