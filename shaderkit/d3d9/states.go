package d3d9

// stateNames are the operations of the states of an effect, by number: render states, states of texture stages, and
// what else a pass or a sampler can set.
var stateNames = []string{
	"ZEnable", "FillMode", "ShadeMode", "ZWriteEnable", "AlphaTestEnable", "LastPixel", "SrcBlend", "DestBlend",
	"CullMode", "ZFunc", "AlphaRef", "AlphaFunc", "DitherEnable", "AlphaBlendEnable", "FogEnable", "SpecularEnable",
	"FogColor", "FogTableMode", "FogStart", "FogEnd", "FogDensity", "RangeFogEnable", "StencilEnable", "StencilFail",
	"StencilZFail", "StencilPass", "StencilFunc", "StencilRef", "StencilMask", "StencilWriteMask", "TextureFactor", "Wrap0",
	"Wrap1", "Wrap2", "Wrap3", "Wrap4", "Wrap5", "Wrap6", "Wrap7", "Wrap8",
	"Wrap9", "Wrap10", "Wrap11", "Wrap12", "Wrap13", "Wrap14", "Wrap15", "Clipping",
	"Lighting", "Ambient", "FogVertexMode", "ColorVertex", "LocalViewer", "NormalizeNormals", "DiffuseMaterialSource", "SpecularMaterialSource",
	"AmbientMaterialSource", "EmissiveMaterialSource", "VertexBlend", "ClipPlaneEnable", "PointSize", "PointSize_Min", "PointSize_Max", "PointSpriteEnable",
	"PointScaleEnable", "PointScale_A", "PointScale_B", "PointScale_C", "MultiSampleAntialias", "MultiSampleMask", "PatchEdgeStyle", "DebugMonitorToken",
	"IndexedVertexBlendEnable", "ColorWriteEnable", "TweenFactor", "BlendOp", "PositionDegree", "NormalDegree", "ScissorTestEnable", "SlopeScaleDepthBias",
	"AntialiasedLineEnable", "MinTessellationLevel", "MaxTessellationLevel", "AdaptiveTess_X", "AdaptiveTess_Y", "AdaptiveTess_Z", "AdaptiveTess_W", "EnableAdaptiveTessellation",
	"TwoSidedStencilMode", "CCW_StencilFail", "CCW_StencilZFail", "CCW_StencilPass", "CCW_StencilFunc", "ColorWriteEnable1", "ColorWriteEnable2", "ColorWriteEnable3",
	"BlendFactor", "SRGBWriteEnable", "DepthBias", "SeparateAlphaBlendEnable", "SrcBlendAlpha", "DestBlendAlpha", "BlendOpAlpha", "ColorOp",
	"ColorArg0", "ColorArg1", "ColorArg2", "AlphaOp", "AlphaArg0", "AlphaArg1", "AlphaArg2", "ResultArg",
	"BumpEnvMat00", "BumpEnvMat01", "BumpEnvMat10", "BumpEnvMat11", "TexCoordIndex", "BumpEnvLScale", "BumpEnvLOffset", "TextureTransformFlags",
	"Constant", "NPatchMode", "FVF", "ProjectionTransform", "ViewTransform", "WorldTransform", "TextureTransform", "MaterialDiffuse",
	"MaterialAmbient", "MaterialSpecular", "MaterialEmissive", "MaterialPower", "LightType", "LightDiffuse", "LightSpecular", "LightAmbient",
	"LightPosition", "LightDirection", "LightRange", "LightFalloff", "LightAttenuation0", "LightAttenuation1", "LightAttenuation2", "LightTheta",
	"LightPhi", "LightEnable", "VertexShader", "PixelShader", "VertexShaderConstantF", "VertexShaderConstantB", "VertexShaderConstantI", "VertexShaderConstant",
	"VertexShaderConstant1", "VertexShaderConstant2", "VertexShaderConstant3", "VertexShaderConstant4", "PixelShaderConstantF", "PixelShaderConstantB", "PixelShaderConstantI", "PixelShaderConstant",
	"PixelShaderConstant1", "PixelShaderConstant2", "PixelShaderConstant3", "PixelShaderConstant4", "Texture", "AddressU", "AddressV", "AddressW",
	"BorderColor", "MagFilter", "MinFilter", "MipFilter", "MipMapLodBias", "MaxMipLevel", "MaxAnisotropy", "SRGBTexture",
	"ElementIndex", "DMAPOffset", "Sampler",
}

// Operations that name shaders.
const (
	stateVertexShader = 146
	statePixelShader  = 147
)
