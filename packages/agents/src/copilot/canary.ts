// Copilot under the proof of its guard: started with another model.
import type { CanaryAgent } from '../guards/canary.ts';
import { chatCanary } from '../guards/chat-canary.ts';

export const copilotCanary: CanaryAgent = {
	...chatCanary({ description: 'Show that the guard is there' }),
	launch: async ({ modelUrl, deployed }) => ({
		args: [
			...deployed.argv,
			'--allow-all-tools',
			'--no-auto-update',
			'--disable-builtin-mcps',
			'--model=roost-canary',
			'--prompt=Go on.',
		],
		env: {
			COPILOT_OFFLINE: 'true',
			COPILOT_PROVIDER_TYPE: 'openai',
			COPILOT_PROVIDER_WIRE_API: 'completions',
			COPILOT_PROVIDER_BASE_URL: `${modelUrl}/v1`,
			COPILOT_PROVIDER_API_KEY: 'roost-canary',
			NO_PROXY: '127.0.0.1',
			no_proxy: '127.0.0.1',
		},
	}),
};
