// A finished session: short, completed, with its cost.
import { sessionId } from '@roost/protocol/ids';
import type { Story } from '../open-demo.ts';
import { bash, read, todos, tokens } from './work.ts';

const PLAN = [
	['Read the commits since the last release', 'Reading the commits'],
	['Write the notes', 'Writing the notes'],
] as const;

const COMMITS = `a41c9e2 search: rank exact matches first
77d01bf export: stream rows instead of collecting them
3be9920 login: lock an account after ten attempts
0c5f6d1 docs: describe the new limits`;

export const OLD_NOTES = `## 2.3.0

- Accounts can be exported.
`;

const NOTES = `## 2.4.0

- Search ranks exact matches first.
- Exports start at once and need a tenth of the memory.
- An account is locked after ten failed logins.

${OLD_NOTES}`;

export const releaseNotes: Story = {
	id: sessionId.parse('swift'),
	model: 'claude-opus-5',
	permissionMode: 'acceptEdits',
	beganAgoMs: 14 * 60_000,
	async play(agent) {
		await agent.begin();
		await agent.receive('Write the release notes for 2.4.0.');
		await agent.call(todos(PLAN, 0));
		await agent.call(bash('git log --oneline v2.3.0..', 'List the commits', COMMITS));
		await agent.call(read('CHANGELOG.md', OLD_NOTES));
		await agent.call(todos(PLAN, 1));
		await agent.call({
			tool: 'Write',
			input: { file_path: 'CHANGELOG.md', content: NOTES },
			response: { type: 'update' },
		});
		await agent.call(todos(PLAN, PLAN.length));
		await agent.say(
			'The notes for **2.4.0** are in `CHANGELOG.md`: three changes that users notice. I left out the commit to the docs.',
		);
		agent.spend(tokens(14_800, 3_900, 96_000));
		await agent.stop();
		await agent.leave();
	},
};
