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

	async function receive(): Promise<void> {
		for await (const message of session) {
			if (isWord(message)) onWord();
			if (message.type === 'result') onOver();
		}
	}

	const received = receive();
	return {
		send: (text) => void writer.write({ type: 'user', message: { role: 'user', content: text }, parent_tool_use_id: null }),
		async [Symbol.asyncDispose]() {
			await writer.close();
			session.close();
			await received;
		},
	};
}

function isWord(message: SDKMessage): boolean {
	return (
		message.type === 'stream_event' && message.event.type === 'content_block_delta' && message.event.delta.type === 'text_delta'
	);
}
