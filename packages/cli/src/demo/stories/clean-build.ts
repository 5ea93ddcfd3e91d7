// A dangerous command: the agent has found the problem and asks before it deletes a folder.
import { sessionId } from '@roost/protocol/ids';
import type { Story } from '../open-demo.ts';
import { bash, edit, grep, read, todos, tokens } from './work.ts';

const PLAN = [
	['Compare the package with the sources', 'Comparing the package'],
	['Empty the folder before each build', 'Emptying the folder'],
	['Build and compare again', 'Building again'],
] as const;

export const SCRIPTS = `{
  "scripts": {
    "build": "tsc --outDir dist",
    "test": "vitest run"
  }
}`;

export const cleanBuild: Story = {
	id: sessionId.parse('finch'),
	model: 'gpt-5.3-codex',
	permissionMode: 'default',
	beganAgoMs: 38_000,
	async play(agent) {
		await agent.begin();
		await agent.receive('Why does the package contain deleted files? Fix it.');
		await agent.say('I will compare the package with the sources.');
		await agent.call(todos(PLAN, 0));
		await agent.call(bash('npm pack --dry-run', 'List the package', 'dist/health.js\ndist/legacy/session.js\ndist/routes.js'));
		await agent.call(grep('legacy/session', ['src/CHANGELOG.md']));
		await agent.call(read('package.json', SCRIPTS));
		agent.spend(tokens(6_400, 520, 18_300));
		await agent.call(todos(PLAN, 1));
		await agent.say('The compiler only adds to `dist`: nothing removes what an earlier build left there.');
		await agent.call(edit('package.json', 'tsc --outDir dist', 'rm -rf dist && tsc --outDir dist'));
		await agent.call(todos(PLAN, 2));
		const built = await agent.call({
			...bash('rm -rf dist && npm run build', 'Build from an empty folder', '> tsc --outDir dist\n\n41 files written'),
			asks: true,
			awaitsUser: true,
			takesMs: 3_400,
		});
		if (built.isDone) await agent.call(todos(PLAN, PLAN.length));
		agent.spend(tokens(2_100, 640, 24_900));
		const end = built.isDone
			? 'The new package has 41 files, and none of the old ones.'
			: 'I did not delete `dist`, so old files are still in it.';
		await agent.say(`Each build now starts with an empty folder. ${end}`);
		await agent.stop(built.interrupted);
	},
};
