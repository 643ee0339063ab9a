//! What products call themselves as owners of the models that they list, and what people call them.

/// A product that is known by what it says of its models.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Owner {
    LlamaCpp,
    Vllm,
    Sglang,
    LlamaSwap,
    Tabby,
    Ollama,
}

/// Each product by `owned_by` of its list, and its name.
const OWNERS: [(Owner, &str, &str); 6] = [
    (Owner::LlamaCpp, "llamacpp", "llama.cpp"),
    (Owner::Vllm, "vllm", "vLLM"),
    (Owner::Sglang, "sglang", "SGLang"),
    (Owner::LlamaSwap, "llama-swap", "llama-swap"),
    (Owner::Tabby, "tabbyAPI", "TabbyAPI"),
    (Owner::Ollama, "library", "Ollama"),
];

impl Owner {
    /// The product that says this of its models. Others, LM Studio and gateways among them, say what says nothing.
    pub(crate) fn of(owned_by: &str) -> Option<Owner> {
        OWNERS.iter().find(|(_, owner, _)| *owner == owned_by).map(|(product, ..)| *product)
    }

    pub(crate) fn product(self) -> &'static str {
        OWNERS.iter().find(|(owner, ..)| *owner == self).map_or("", |(.., product)| *product)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_product_is_known_by_its_owner_and_has_a_name() {
        for (product, owner, name) in OWNERS {
            assert_eq!((Owner::of(owner), product.product()), (Some(product), name));
        }
        assert_eq!(Owner::of("organization_owner"), None);
    }
}
