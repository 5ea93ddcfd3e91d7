// Tool calls with results like those of real tools.
import type { TokenUsage } from '@roost/protocol/feed/conversation';
import type { StoryCall } from '../story-agent.ts';

export function read(file: string, content: string): StoryCall {
	const numLines = content.split('\n').length;
	const response = { type: 'text', file: { filePath: file, content, startLine: 1, numLines, totalLines: numLines } };
	return { tool: 'Read', input: { file_path: file }, response, takesMs: 120 };
}

export function grep(pattern: string, filenames: readonly string[]): StoryCall {
	const response = { mode: 'files_with_matches', filenames, numFiles: filenames.length };
	return { tool: 'Grep', input: { pattern, path: 'src' }, response, takesMs: 210 };
}

export function edit(file: string, before: string, after: string): StoryCall {
	return {
		tool: 'Edit',
		input: { file_path: file, old_string: before, new_string: after },
		response: { filePath: file, oldString: before, newString: after },
		takesMs: 90,
	};
}

export function bash(command: string, description: string, stdout: string): StoryCall {
	return { tool: 'Bash', input: { command, description }, response: { stdout, stderr: '', interrupted: false } };
}

/** `done` items are completed, the next one is in progress. */
export function todos(items: readonly (readonly [content: string, activeForm: string])[], done: number): StoryCall {
	const status = (at: number) => (at < done ? 'completed' : at === done ? 'in_progress' : 'pending');
	const list = items.map(([content, activeForm], at) => ({ content, activeForm, status: status(at) }));
	return { tool: 'TodoWrite', input: { todos: list }, response: { newTodos: list }, takesMs: 20 };
}

/** Usage of one turn; most input is cached. */
export function tokens(input: number, output: number, cached: number): TokenUsage {
	return {
		input_tokens: input,
		output_tokens: output,
		cache_read_tokens: cached,
		cache_write_tokens: Math.round(cached / 9),
	};
}
