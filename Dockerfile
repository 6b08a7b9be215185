# An image with the static program and nothing else:
#
#   docker build -t ramsey .
#   docker run --rm -v "$PWD:/work" -u "$(id -u):$(id -g)" ramsey verify
FROM rust:1-alpine AS build
RUN apk add --no-cache musl-dev gcc
WORKDIR /src
COPY . .
# The target of this image is musl, with static linking.
RUN CARGO_PROFILE_RELEASE_LTO=fat CARGO_PROFILE_RELEASE_CODEGEN_UNITS=1 \
    cargo build -p ramsey --release --locked --bin ramsey \
    && cp target/release/ramsey /ramsey

FROM scratch
COPY --from=build /ramsey /ramsey
WORKDIR /work
USER 65534:65534
ENTRYPOINT ["/ramsey"]
CMD ["verify"]
