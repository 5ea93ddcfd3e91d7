// What the agent in the demo does with what its user writes, by the words in it. Data only.
import { type MockStep, turnFor } from '@roost/agents/mock/driven/turns';

const HELP: readonly MockStep[] = [
	{
		type: 'say',
		text: [
			'I am a scripted agent, and I take prompts. Press **i** and write one of these:\n\n',
			'- `run the tests`: I ask you for permission first\n',
			'- `mend it`: I show you a change before I make it\n',
			'- `which one?`: I ask you a question\n',
			'- `explain it`: a long answer; press Esc twice to interrupt me\n',
			'- `fail`: my model gives up\n\n',
			'What you write while I am busy waits until I am done.',
		].join(''),
	},
];

export function demoTurns(prompt: string): readonly MockStep[] {
	return /\b(help|hello|hi|what can you)\b/i.test(prompt) ? HELP : turnFor(prompt);
}
