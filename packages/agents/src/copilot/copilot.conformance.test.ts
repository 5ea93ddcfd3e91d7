import { describeConformance } from '../conformance/conformance.contract.ts';
import { copilotStage } from './copilot.stage.contract.ts';

describeConformance(copilotStage);
