# No test runs this file: tests check compose.yaml and deploy/kubernetes against their schemas alone.
FROM node:24-slim AS builder
WORKDIR /app
COPY . .
RUN npm install --no-save --ignore-scripts --no-audit --no-fund \
  && node scripts/ensure-builder.mjs && node scripts/server-bundle.mjs \
  && mkdir -p .cache/embedder && (node scripts/embedder/install.mjs || true)

FROM node:24-slim
WORKDIR /app
COPY . .
COPY --from=builder /app/packages/builder/dist packages/builder/dist
COPY --from=builder /app/packages/widget/dist packages/widget/dist
COPY --from=builder /app/.cache/server .cache/server
COPY --from=builder /app/.cache/embedder .cache/embedder
# The base image is the Node; the pinned one (an optional dependency) would be a second.
RUN npm install --no-save --ignore-scripts --omit=dev --omit=optional --no-audit --no-fund \
  && npm cache clean --force \
  && mkdir /data && chown node:node /data
ENV NODE_ENV=production HOST=0.0.0.0 PORT=3000 DATA_DIR=/data MALLOC_ARENA_MAX=1
USER node
VOLUME /data
EXPOSE 3000
HEALTHCHECK --interval=15s --timeout=3s --start-period=20s \
  CMD ["node", "-e", "fetch(`http://127.0.0.1:${process.env.PORT}/livez`).then((r) => process.exit(r.ok ? 0 : 1), () => process.exit(1))"]
CMD ["node", "--max-semi-space-size=8", "--expose-gc", "scripts/start.mjs"]
