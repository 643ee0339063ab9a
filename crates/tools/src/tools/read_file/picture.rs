//! Pictures, small enough for a model: what is too large is refused by its header, before anything of it is unpacked.
//!
//! Does not know whether the model can see.

use crate::words;
use agent_protocol::{Failure, FailureKind, Image, Outcome};
use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use image::codecs::jpeg::JpegEncoder;
use image::metadata::Orientation;
use image::{DynamicImage, ImageDecoder, ImageError, ImageFormat, ImageReader, ImageResult, Limits, RgbImage};
use std::io::Cursor;

/// Bytes of the largest file.
pub(super) const LARGEST: u64 = 20_000_000;
/// Pixels of the largest picture.
const PIXELS: u64 = 50_000_000;
/// Bytes that unpacking may take.
const UNPACKED: u64 = 512 * 1024 * 1024;
/// The longer side of what is sent, in pixels.
const SIDE: u32 = 1_024;
/// A PNG up to so many bytes is sent as it is: it is exact. Larger ones become JPEG.
const SMALL: usize = 256 * 1024;
const QUALITY: u8 = 85;
/// Bytes that tell which kind of picture it is.
const HEADER: usize = 64;
/// Sizes of the second header of a BMP, which tell it from a text that begins with BM.
const BMP_HEADERS: [u32; 7] = [12, 40, 52, 56, 64, 108, 124];

/// Which kind of picture begins so. One that is written in text, like SVG, is text.
pub(in crate::tools) fn format(start: &[u8]) -> Option<ImageFormat> {
    // The header of every one of them holds a zero, and no text does.
    if !start.contains(&0) {
        return None;
    }
    match image::guess_format(start).ok()? {
        ImageFormat::Bmp => {
            let header = start.get(14..18)?.try_into().map(u32::from_le_bytes).ok()?;
            BMP_HEADERS.contains(&header).then_some(ImageFormat::Bmp)
        }
        format @ (ImageFormat::Png | ImageFormat::Jpeg | ImageFormat::Gif | ImageFormat::WebP) => Some(format),
        _ => None,
    }
}

/// The picture and what is to be said of it.
pub(in crate::tools) fn seen(bytes: &[u8], format: ImageFormat, shown: &str) -> Result<Outcome, Failure> {
    let damaged = |error: ImageError| match error {
        ImageError::Limits(_) => too_large(shown, "unpacked it takes too much memory"),
        error => not_text(format!("{shown} is a damaged {} image ({error})", name(format))),
    };
    let (width, height) = size(bytes, format).map_err(damaged)?;
    if u64::from(width) * u64::from(height) > PIXELS {
        return Err(too_large(shown, &format!("it has {width} × {height} pixels")));
    }
    let picture = unpacked(bytes, format).map_err(damaged)?;
    let (width, height) = (picture.width(), picture.height());
    let small = if width.max(height) > SIDE { picture.thumbnail(SIDE, SIDE) } else { picture };
    let image = packed(&small, format).map_err(damaged)?;
    let scaled = match (image.width, image.height) {
        same if same == (width, height) => String::new(),
        (width, height) => format!(", scaled to {width} × {height}"),
    };
    let frames = if format == ImageFormat::Gif { ", its first frame" } else { "" };
    let (name, bytes) = (name(format), words::size(bytes.len() as u64));
    let told = format!("[{shown}: {name} image of {width} × {height} pixels, {bytes}{frames}{scaled}]");
    let summary = format!("{name}, {width} × {height}");
    Ok(Outcome { images: vec![image], ..words::done(told.clone(), summary, told) })
}

/// A picture that somebody hands over as its bytes in Base64 (RFC 4648), small enough for a model. Blocking: unpacking a large one
/// takes a while.
///
/// # Errors
/// It is no picture of a kind that is read, it is damaged, or too large.
pub fn picture(base64: &str) -> Result<Image, Failure> {
    const SHOWN: &str = "the picture";
    if base64.len() as u64 / 4 * 3 > LARGEST {
        return Err(too_large(SHOWN, "it has more than 20 MB"));
    }
    let bytes = STANDARD.decode(base64.trim()).map_err(|_| not_text(format!("{SHOWN} is no Base64")))?;
    let kind = format(&bytes[..bytes.len().min(HEADER)]);
    let kind = kind.ok_or_else(|| not_text(format!("{SHOWN} is neither PNG, JPEG, GIF, WebP nor BMP")))?;
    let images = seen(&bytes, kind, SHOWN)?.images;
    images.into_iter().next().ok_or_else(|| not_text(format!("{SHOWN} shows nothing")))
}

/// Nobody said that the model may see it.
pub(super) fn hidden(shown: &str) -> Failure {
    not_text(format!(
        "{shown} is an image; its name says that it holds secrets, so it is not shown; the user can show it to you in \
         safe mode, where looking at it asks"
    ))
}

fn size(bytes: &[u8], format: ImageFormat) -> ImageResult<(u32, u32)> {
    ImageReader::with_format(Cursor::new(bytes), format).into_dimensions()
}

/// The picture, the right way up.
fn unpacked(bytes: &[u8], format: ImageFormat) -> ImageResult<DynamicImage> {
    let mut limits = Limits::default();
    limits.max_alloc = Some(UNPACKED);
    let mut reader = ImageReader::with_format(Cursor::new(bytes), format);
    reader.limits(limits.clone());
    let mut decoder = reader.into_decoder()?;
    limits.reserve(decoder.total_bytes())?;
    let orientation = decoder.orientation().unwrap_or(Orientation::NoTransforms);
    let mut picture = DynamicImage::from_decoder(decoder)?;
    picture.apply_orientation(orientation);
    Ok(picture)
}

/// As it is sent: anew, so that nothing goes along but what is to be seen.
fn packed(picture: &DynamicImage, from: ImageFormat) -> ImageResult<Image> {
    let (width, height) = (picture.width(), picture.height());
    let image = |mime: &str, bytes: &[u8]| Image { mime: mime.into(), width, height, base64: STANDARD.encode(bytes) };
    if from != ImageFormat::Jpeg {
        let exact = if picture.color().has_alpha() {
            DynamicImage::ImageRgba8(picture.to_rgba8())
        } else {
            DynamicImage::ImageRgb8(picture.to_rgb8())
        };
        let mut bytes = Cursor::new(Vec::new());
        exact.write_to(&mut bytes, ImageFormat::Png)?;
        if bytes.get_ref().len() <= SMALL {
            return Ok(image("image/png", bytes.get_ref()));
        }
    }
    let mut bytes = Vec::new();
    on_white(picture).write_with_encoder(JpegEncoder::new_with_quality(&mut bytes, QUALITY))?;
    Ok(image("image/jpeg", &bytes))
}

/// Without what shines through, which a JPEG cannot hold.
fn on_white(picture: &DynamicImage) -> RgbImage {
    if !picture.color().has_alpha() {
        return picture.to_rgb8();
    }
    let over = |value: u8, alpha: u8| {
        let mixed = u16::from(value) * u16::from(alpha) + 255 * (255 - u16::from(alpha));
        u8::try_from(mixed / 255).unwrap_or(u8::MAX)
    };
    let rgba = picture.to_rgba8();
    RgbImage::from_fn(rgba.width(), rgba.height(), |x, y| {
        let [red, green, blue, alpha] = rgba.get_pixel(x, y).0;
        image::Rgb([over(red, alpha), over(green, alpha), over(blue, alpha)])
    })
}

fn name(format: ImageFormat) -> &'static str {
    match format {
        ImageFormat::Png => "PNG",
        ImageFormat::Jpeg => "JPEG",
        ImageFormat::Gif => "GIF",
        ImageFormat::WebP => "WebP",
        ImageFormat::Bmp => "BMP",
        _ => "unknown",
    }
}

fn too_large(shown: &str, why: &str) -> Failure {
    let message = format!("{shown} is an image too large to be looked at: {why}; ask the user for a smaller one");
    Failure::new(FailureKind::TooLarge, message)
}

fn not_text(message: String) -> Failure {
    Failure::new(FailureKind::NotText, message)
}

#[cfg(test)]
mod tests;
