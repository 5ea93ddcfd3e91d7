// The subject of a call in few words: the command, the file, the pattern, the task.
import { firstLine } from '../first-line.ts';
import { type Fields, listAt, textAt } from './fields.ts';

export function subjectOf(tool: string, input: Fields, cwd?: string): string {
	return SUBJECTS[tool]?.(input, cwd) ?? anySubject(input, cwd);
}

/** Relative to the working directory, if the path is below it. */
export function relativeTo(path: string, cwd: string | undefined): string {
	const base = cwd?.endsWith('/') ? cwd : `${cwd}/`;
	return cwd && path.startsWith(base) && path.length > base.length ? path.slice(base.length) : path;
}

type Subject = (input: Fields, cwd?: string) => string | undefined;

const file: Subject = (input, cwd) => {
	const path = textAt(input, 'file_path') ?? textAt(input, 'notebook_path');
	return path === undefined ? undefined : relativeTo(path, cwd);
};

const job: Subject = (input) => {
	const words = [textAt(input, 'subagent_type'), textAt(input, 'description') ?? textAt(input, 'prompt')];
	return words.flatMap((word) => (word ? [firstLine(word)] : [])).join(': ') || undefined;
};

const SUBJECTS: Record<string, Subject | undefined> = {
	Bash: (input) => commandSubject(textAt(input, 'command')),
	Read: file,
	Edit: file,
	MultiEdit: file,
	Write: file,
	NotebookEdit: file,
	Grep: (input, cwd) => {
		const [pattern, path] = [textAt(input, 'pattern'), textAt(input, 'path')];
		return pattern === undefined ? undefined : `${firstLine(pattern)}${path ? ` in ${relativeTo(path, cwd)}` : ''}`;
	},
	Agent: job,
	Task: job,
	TodoWrite: (input) => `${listAt(input, 'todos')?.length ?? 0} todos`,
	TaskUpdate: (input) => [textAt(input, 'taskId'), textAt(input, 'status')].filter(Boolean).join(' ') || undefined,
	ExitPlanMode: () => 'a plan',
	AskUserQuestion: (input) => {
		const question = textAt(listAt(input, 'questions')?.[0], 'question');
		return question === undefined ? undefined : firstLine(question);
	},
};

/** The first line of a command, and how many more it has. */
function commandSubject(command: string | undefined): string | undefined {
	if (command === undefined) return undefined;
	const more = lineCount(command.trim()) - 1;
	return more > 0 ? `${firstLine(command)} (+${more} ${more === 1 ? 'line' : 'lines'})` : firstLine(command);
}

function lineCount(text: string): number {
	let count = 1;
	for (let at = text.indexOf('\n'); at >= 0; at = text.indexOf('\n', at + 1)) count += 1;
	return count;
}

const LIKELY = ['command', 'file_path', 'path', 'pattern', 'query', 'url', 'subject', 'description', 'skill', 'name'];

function anySubject(input: Fields, cwd?: string): string {
	const named = LIKELY.map((key) => textAt(input, key)).find((text) => text !== undefined);
	const text = named ?? Object.values(input).find((value) => typeof value === 'string') ?? '';
	return relativeTo(firstLine(text), cwd);
}
