// The help of every command, as a user sees it.
import { join } from 'node:path';
import { goldenText } from '@roost/testkit/rigs/record/feed-golden';
import { driveCli, type NamedHelp, readHelps } from '@roost/testkit/rigs/runner/drive-cli';
import { createTempDir } from '@roost/testkit/rigs/temp-dir';
import { beforeAll, describe, expect, it } from 'vitest';

describe('help of every command', () => {
	let helps: NamedHelp[];
	beforeAll(async () => {
		await using world = await openWorld();
		helps = await readHelps(world.drive);
	});

	it('has an example', () => {
		expect(helps.length).toBeGreaterThan(60);
		expect(
			helps
				.filter(({ words, help }) => words.length > 0 && !/\nExamples?:\n {2}\$ /.test(help))
				.map(({ words }) => words.join(' ')),
		).toEqual([]);
	});

	it('starts with a short imperative summary without a period', () => {
		const summaries = helps.flatMap(({ words, help }) => (words.length > 0 ? [{ words, summary: summaryOf(help) }] : []));
		expect(summaries.filter(({ summary }) => !/^[A-Z].{0,58}[^.]$/.test(summary))).toEqual([]);
	});

	it('matches docs/commands.md', () => {
		const document = [INTRODUCTION, ...helps.filter(({ words }) => words.length > 0).map(toSection)].join('\n');
		expect(goldenText(DOCUMENT, document)).toBe(document);
	});

	it('is printed by "roost help" for commands at any depth', async () => {
		await using world = await openWorld();
		const printed = await world.drive(helps.map(({ words }) => ['help', ...words]));
		// A named command is added alone, while "roost help" adds all of them: both print the same.
		expect(printed.map(({ stdout }) => stdout)).toEqual(helps.map(({ help }) => help));
	});
});

describe('mistyped command', () => {
	it.each([
		[['sesions'], 'unknown command \'sesions\'\n(Did you mean sessions?)\nRun "roost --help" for usage.\n'],
		[['rules', 'ad'], 'unknown command \'ad\'\n(Did you mean add?)\nRun "roost rules --help" for usage.\n'],
		[['help', 'rules', 'ad'], 'unknown command \'ad\'\n(Did you mean add?)\nRun "roost rules --help" for usage.\n'],
		[['qqqqqq'], 'unknown command \'qqqqqq\'\nRun "roost --help" for usage.\n'],
		[['run', '--modle', 'x'], 'unknown option \'--modle\'\n(Did you mean --model?)\nRun "roost run --help" for usage.\n'],
		[['feed'], 'missing required argument \'session\'\nRun "roost feed --help" for usage.\n'],
	])('fails with a suggestion and the help to read: %j', async (args, sentence) => {
		await using world = await openWorld();
		expect(await world.drive([args])).toMatchObject([{ code: 2, stdout: '', stderr: `error: ${sentence}` }]);
	});
});

const DOCUMENT = join(import.meta.dirname, '../../../../docs/commands.md');

const INTRODUCTION = `# Commands

<!-- Made from the help of each command. After a change of one, run packages/cli/src/output/command-help.test.ts with ROOST_UPDATE_GOLDEN=1. -->

Every command has \`--help\` with an example. Commands that print take \`--json\`. Errors go to stderr; with \`--json\` as \`{"error":{"code","message"}}\`.

| exit code | meaning |
|---|---|
| 0 | ok |
| 1 | failed |
| 2 | wrong usage |
| 3 | could not start |
| 4 | the agent failed |
| 5 | denied: a request was refused or unanswered and the run could not continue |
| 6 | timed out |
| 7 | the turn limit was reached |
| 130 | interrupted |
`;

function toSection({ words, help }: NamedHelp): string {
	return `## roost ${words.join(' ')}\n\n\`\`\`text\n${help.trim()}\n\`\`\`\n`;
}

function summaryOf(help: string): string {
	return help.split('\n\n')[1]?.replaceAll('\n', ' ') ?? '';
}

async function openWorld() {
	const temp = await createTempDir();
	const env = { PATH: process.env.PATH ?? '', HOME: temp.path, ROOST_HOME: temp.path };
	return {
		drive: (runs: readonly (readonly string[])[]) => driveCli(runs, { cwd: temp.path, env }),
		[Symbol.asyncDispose]: () => temp[Symbol.asyncDispose](),
	};
}
