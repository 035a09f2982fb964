import type { Context } from 'cordis'
import { createModelDriver } from '../../src/agent/model/index.js'
import type { Model } from '../../src/agent/model/provider/index.js'
import { type Answer, scriptedModel, sourceOf } from '../agent/model/support.js'
import { type ConnectedAgent, type ConnectOptions, connect } from './connected-agent.js'

export type { Answer } from '../agent/model/support.js'

export interface ConnectedModel extends ConnectedAgent {
  requests: ReturnType<typeof scriptedModel>['requests']
}

/** An agent whose model gives these answers. */
export async function connectModel(
  answers: readonly Answer[],
  { facts = {}, ...options }: ConnectOptions & { facts?: Partial<Model> } = {},
): Promise<ConnectedModel> {
  const { model, requests } = scriptedModel(answers, facts)
  const driver = (ctx: Context) => createModelDriver({ ctx, source: sourceOf(model) })
  return Object.assign(await connect({ driver, ...options }), { requests })
}
