// Loaded before the demo for screenshots of the page: as in `same-world.ts`, and no time passes.
import { MORNING } from './same-world.ts';

Date.now = () => MORNING;
