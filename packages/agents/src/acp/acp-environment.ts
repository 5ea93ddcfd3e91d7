// What an agent that speaks ACP needs in its environment besides what every agent does: nobody knows which, so the keys to models.
import { createAgentEnvironment } from '../agent-environment.ts';

const KEYS = ['ANTHROPIC', 'OPENAI', 'GEMINI', 'GOOGLE', 'OPENROUTER', 'MISTRAL', 'GROQ', 'XAI', 'DEEPSEEK', 'CEREBRAS'].flatMap(
	(provider) => [`${provider}_API_KEY`, `${provider}_BASE_URL`],
);

/** Whatever else one needs, its user configures as `agents.<id>.env`. */
export const toAcpEnvironment = createAgentEnvironment({
	inherited: [
		{ why: 'the agent reaches the models of its user', names: KEYS },
		{
			why: 'the agent reaches the cloud that its models are served from',
			names: ['AWS_*', 'AZURE_OPENAI_*', 'GOOGLE_CLOUD_*', 'GOOGLE_APPLICATION_CREDENTIALS', 'GEMINI_*', 'OPENCODE_*'],
		},
	],
	withheld: [],
});
