// In which words each kind of observed agent reports, and is answered.
import { CLAUDE_LAUNCH_WORDS } from '@roost/agents/claude/hooks/launch-words';
import { CODEX_LAUNCH_WORDS } from '@roost/agents/codex/observed-words';
import { COPILOT_LAUNCH_WORDS } from '@roost/agents/copilot/observed-words';
import type { LaunchWords } from '@roost/agents/hooks/launch-runtime';
import { PI_LAUNCH_WORDS } from '@roost/agents/pi/observed-words';
import type { LaunchedAgent } from '@roost/protocol/api/launches';

const WORDS: Readonly<Record<LaunchedAgent, LaunchWords>> = {
	claude: CLAUDE_LAUNCH_WORDS,
	codex: CODEX_LAUNCH_WORDS,
	copilot: COPILOT_LAUNCH_WORDS,
	pi: PI_LAUNCH_WORDS,
};

export function wordsOf(agent: LaunchedAgent): LaunchWords {
	return WORDS[agent];
}
